// Archive: downloads each certificate into its pipeline's folder, once, and completely or not at all. The ledger
// records which certificates are missing, so a repeated job does nothing, and a killed process loses only the current
// download.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import type { DownloadFolder } from '#src/extensions/certificates/download-folder.ts'
import { DownloadFolderError } from '#src/extensions/certificates/download-folder-error.ts'
import { type FetchResult, fetchAll } from '#src/extensions/certificates/fetch-certificates.ts'
import type { DueCertificate } from '#src/extensions/certificates/ledger/archives.ts'
import type { Archive } from '#src/extensions/certificates/open-archives.ts'
import { nextDelay } from '#src/platform/backoff.ts'
import { done, snooze, type Verdict } from '#src/platform/queue/verdict.ts'
import { safeMessage } from '#src/platform/safe-message.ts'

type ArchiveTools = Pick<ExtensionTools, 'ledger' | 'issuer' | 'archives' | 'log' | 'clock' | 'tuning'>

/** How many certificates are read from the ledger in one query. */
const certificatesPerQuery = 100

export async function archive(
  tools: ArchiveTools,
  { pipeline }: { pipeline: string },
  signal: AbortSignal,
): Promise<Verdict> {
  const opened = tools.archives.find(pipeline)
  try {
    if (opened)
      await tools.ledger.locks.withLock(`archive:${pipeline}`, () => fetchMissing(tools, opened, signal), false)
    return done()
  } catch (error) {
    if (signal.aborted) return snooze(1_000, 'the worker is stopping')
    throw error
  }
}

async function fetchMissing(tools: ArchiveTools, { pipeline, open }: Archive, signal: AbortSignal): Promise<void> {
  const { ledger, tuning } = tools
  const { usedFolder, tries } = await ledger.archives.recordOf(pipeline)
  const postpone = async (problem: string) => {
    const isNew = await ledger.archives.postpone(pipeline, problem, nextDelay(tries + 1, tuning.archiveRetry.all))
    if (isNew) tools.log.event('archive.stuck', { pipeline, reason: problem })
  }
  try {
    const folder = await open(usedFolder)
    for (;;) {
      const due = await ledger.archives.due(pipeline, certificatesPerQuery)
      if (due.length === 0) break
      const problem = await fetchDue(tools, { pipeline, folder, due }, signal)
      if (problem !== null) return await postpone(problem)
    }
    await ledger.archives.noteFinished(pipeline)
  } catch (error) {
    if (!(error instanceof DownloadFolderError)) throw error
    await postpone(error.message)
  }
}

interface Round {
  pipeline: string
  folder: DownloadFolder
  due: readonly DueCertificate[]
}

/** Archives or postpones each of the due certificates. @returns the problem that blocks all of them, or null */
async function fetchDue(tools: ArchiveTools, round: Round, signal: AbortSignal): Promise<string | null> {
  const { issuer, clock, log } = tools
  const { pipeline, folder, due } = round
  const download = issuer.downloadCredential
  const credentials = due.map(({ credentialId }) => credentialId)
  const { all: results, unavailable } = await fetchAll(credentials, { download, folder, clock, signal }, (fetched) =>
    noteKept(tools, round, fetched),
  )
  const count = results.filter((fetched) => 'entry' in fetched).length
  if (count > 0) log.event('archive.kept', { pipeline, count })
  const failed = results.flatMap((fetched) => (fetched.status === 'failed' ? [fetched] : []))
  const last = failed.at(-1)
  if (unavailable && last) return safeMessage(last.error)
  for (const fetched of failed) await noteFailure(tools, round, fetched)
  return null
}

async function noteKept(
  { ledger, log }: ArchiveTools,
  { pipeline, folder, due }: Round,
  fetched: FetchResult,
): Promise<void> {
  if (!('entry' in fetched)) return
  const ids = due.filter(({ credentialId }) => credentialId === fetched.id).map(({ issuanceId }) => issuanceId)
  await ledger.archives.noteKept(pipeline, ids, { ...fetched.entry, folder: folder.path })
  if (fetched.entry.file.endsWith('.html')) log.event('archive.page', { pipeline, issuance: ids[0] ?? 0 })
}

async function noteFailure(
  { ledger, tuning, log }: ArchiveTools,
  { pipeline, due }: Round,
  fetched: { id: string; error: unknown },
) {
  for (const { issuanceId, tries } of due.filter(({ credentialId }) => credentialId === fetched.id)) {
    await ledger.archives.noteFailure(
      [issuanceId],
      safeMessage(fetched.error),
      nextDelay(tries + 1, tuning.archiveRetry.one),
    )
    log.event('archive.refused', { pipeline, issuance: issuanceId, error: (fetched.error as Error).name })
  }
}
