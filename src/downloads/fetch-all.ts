// Many certificates, a few at once: one that fails costs itself alone, and a service that is away is not asked for each.

import { KeysRefusedError } from '#src/issuer/keys-refused-error.ts'
import { ServiceRefusedError } from '#src/issuer/service-refused-error.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { LimitsClosedError } from '#src/limits/limits-closed-error.ts'
import { DownloadFolderError } from './download-folder-error.ts'
import { type FetchedFile, type FetchTools, fetchCertificate } from './fetch-certificate.ts'

// A download takes some tenths of a second, most of it waiting. Four are far below the service's limit, which the gate keeps anyway.
const lanes = 4

export type Fetched = { id: string } & (
  | { standing: 'fetched' | 'there'; kept: FetchedFile }
  | { standing: 'failed'; error: unknown }
  | { standing: 'not asked' }
)

export interface FetchedAll {
  /** In the order of the ids. */
  all: Fetched[]
  /** The service cannot be reached or lets nobody in: what is `not asked` was left for that. */
  away: boolean
}

/**
 * Brings each of the ids, every one of them once however often it is named. `tell` hears of each as it comes to its end, and is waited for.
 * @throws DownloadFolderError, LimitsClosedError, what `tell` throws, or the signal's reason; what was kept until then stays, and the rest comes with the next call
 */
export async function fetchAll(
  ids: readonly string[],
  tools: FetchTools,
  tell: (one: Fetched) => void | Promise<void> = () => {},
): Promise<FetchedAll> {
  const wanted = [...new Set(ids)]
  const all: Fetched[] = wanted.map((id) => ({ id, standing: 'not asked' }))
  let next = 0
  let answered = 0
  let unansweredInRow = 0
  let away = false
  const broken = new AbortController()

  async function lane(): Promise<void> {
    while (next < wanted.length && !away && !broken.signal.aborted) {
      const at = next++
      const one = await bring(wanted[at] as string, tools)
      if (one.standing === 'failed' && isAway(one.error)) unansweredInRow += 1
      else if (one.standing !== 'there') {
        answered += 1
        unansweredInRow = 0
      }
      // One certificate may make the service stumble each time; several in a row are the service.
      if (unansweredInRow >= lanes || (one.standing === 'failed' && one.error instanceof KeysRefusedError)) away = true
      all[at] = one
      await tell(one)
    }
  }
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(lanes, wanted.length) }, () =>
      lane().catch((error) => {
        broken.abort()
        throw error
      }),
    ),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return { all, away: away || (unansweredInRow > 0 && answered === 0) }
}

async function bring(id: string, tools: FetchTools): Promise<Fetched> {
  try {
    const kept = await fetchCertificate(id, tools)
    return { id, standing: kept.standing, kept }
  } catch (error) {
    tools.signal.throwIfAborted()
    if (error instanceof DownloadFolderError || error instanceof LimitsClosedError) throw error
    return { id, standing: 'failed', error }
  }
}

function isAway(error: unknown): boolean {
  if (error instanceof ServiceRefusedError) return error.status === 401 || error.status === 403
  return error instanceof ServiceUnreachableError || error instanceof KeysRefusedError
}
