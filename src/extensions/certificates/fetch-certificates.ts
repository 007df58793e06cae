// Fetches many certificates from the service into a folder, a few at a time. A failed certificate does not stop the
// others; an unavailable service does.

import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { KeysRefusedError } from '#src/issuer/tokens/token-calls.ts'
import { LimitsClosedError } from '#src/platform/limits/limits-closed-error.ts'
import { DownloadFolderError } from './download-folder-error.ts'
import { type FetchedFile, type FetchTools, fetchCertificate } from './fetch-certificate.ts'

// A download takes a few tenths of a second, most of it spent waiting. Four at a time stay far below the service's rate
// limit, which the gate enforces in any case.
const maxParallel = 4

export type FetchResult = { id: string } & (
  | { status: 'fetched' | 'there'; entry: FetchedFile }
  | { status: 'failed'; error: unknown }
  | { status: 'not asked' }
)

export interface FetchSummary {
  /** In the order of the ids. */
  all: FetchResult[]
  /** The service is unreachable or refuses access. The certificates with the status `not asked` were skipped. */
  unavailable: boolean
}

/**
 * Fetches each id once, however often it is listed. Calls `report` with each result, and awaits it.
 * @throws DownloadFolderError, LimitsClosedError, whatever `report` throws, or the signal's reason. Files that were
 * already stored stay, and the next call fetches the rest.
 */
export async function fetchAll(
  ids: readonly string[],
  tools: FetchTools,
  report: (result: FetchResult) => void | Promise<void> = () => {},
): Promise<FetchSummary> {
  const wanted = [...new Set(ids)]
  const all: FetchResult[] = wanted.map((id) => ({ id, status: 'not asked' }))
  let next = 0
  let answers = 0
  let outagesInRow = 0
  let unavailable = false
  const stopped = new AbortController()

  async function fetchUntilDone(): Promise<void> {
    while (next < wanted.length && !unavailable && !stopped.signal.aborted) {
      const at = next++
      const result = await fetchOne(wanted[at] as string, tools)
      if (result.status === 'failed' && isOutage(result.error)) outagesInRow += 1
      else if (result.status !== 'there') {
        answers += 1
        outagesInRow = 0
      }
      // A single certificate may make the service fail every time, but several failures in a row mean that the service
      // itself is down.
      if (outagesInRow >= maxParallel || (result.status === 'failed' && result.error instanceof KeysRefusedError))
        unavailable = true
      all[at] = result
      await report(result)
    }
  }
  const loops = await Promise.allSettled(
    Array.from({ length: Math.min(maxParallel, wanted.length) }, () =>
      fetchUntilDone().catch((error) => {
        stopped.abort()
        throw error
      }),
    ),
  )
  for (const loop of loops) if (loop.status === 'rejected') throw loop.reason
  return { all, unavailable: unavailable || (outagesInRow > 0 && answers === 0) }
}

async function fetchOne(id: string, tools: FetchTools): Promise<FetchResult> {
  try {
    const entry = await fetchCertificate(id, tools)
    return { id, status: entry.status, entry }
  } catch (error) {
    tools.signal.throwIfAborted()
    if (error instanceof DownloadFolderError || error instanceof LimitsClosedError) throw error
    return { id, status: 'failed', error }
  }
}

function isOutage(error: unknown): boolean {
  if (error instanceof ServiceRefusedError) return error.status === 401 || error.status === 403
  // A file that is far too large says nothing about the service.
  if (error instanceof ServiceUnreachableError) return error.lastResult !== 'ANSWER_TOO_LONG'
  return error instanceof KeysRefusedError
}
