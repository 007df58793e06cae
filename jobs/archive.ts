// Archive: each certificate is fetched into its pipeline's folder once, whole or not at all. Which are missing is the ledger's to know:
// asking twice does nothing, and a kill costs what was being fetched.

import { speakable } from '#src/check/speakable.ts'
import type { DownloadFolder } from '#src/downloads/download-folder.ts'
import { DownloadFolderError } from '#src/downloads/download-folder-error.ts'
import { type Fetched, fetchAll } from '#src/downloads/fetch-all.ts'
import type { Archive } from '#src/downloads/open-archives.ts'
import { openCertificates } from '#src/downloads/open-certificates.ts'
import type { DueCertificate } from '#src/ledger/archives.ts'
import { done, snooze, type Verdict } from '#src/queue/verdict.ts'
import { nextDelay } from '#src/retry/backoff.ts'
import type { Tools } from './tools.ts'

type ArchiveTools = Pick<Tools, 'ledger' | 'issuer' | 'archives' | 'log' | 'clock' | 'tuning'>

/** Looked up at once; what a kill leaves undone is at most what is being fetched. */
const perLook = 100

export async function archive(
  tools: ArchiveTools,
  { pipeline }: { pipeline: string },
  signal: AbortSignal,
): Promise<Verdict> {
  const kept = tools.archives.find(pipeline)
  try {
    if (kept) await tools.ledger.withLock(`archive:${pipeline}`, () => tend(tools, kept, signal), false)
    return done()
  } catch (error) {
    if (signal.aborted) return snooze(1_000, 'the worker is stopping')
    throw error
  }
}

async function tend(tools: ArchiveTools, { pipeline, open }: Archive, signal: AbortSignal): Promise<void> {
  const { ledger, tuning } = tools
  const { usedFolder, tries } = await ledger.archives.memoryOf(pipeline)
  const putOff = async (problem: string) => {
    const isNews = await ledger.archives.putOff(pipeline, problem, nextDelay(tries + 1, tuning.archiveAgain.all))
    if (isNews) tools.log.event('archive.stuck', { pipeline, reason: problem })
  }
  try {
    const folder = await open(usedFolder)
    for (;;) {
      const due = await ledger.archives.due(pipeline, perLook)
      if (due.length === 0) break
      const problem = await fetchDue(tools, { pipeline, folder, due }, signal)
      if (problem !== null) return await putOff(problem)
    }
    await ledger.archives.noteTended(pipeline)
  } catch (error) {
    if (!(error instanceof DownloadFolderError)) throw error
    await putOff(error.message)
  }
}

interface Round {
  pipeline: string
  folder: DownloadFolder
  due: readonly DueCertificate[]
}

/** Each of them is archived afterwards, or tried again later. @returns what keeps all of them from it, or null */
async function fetchDue(tools: ArchiveTools, round: Round, signal: AbortSignal): Promise<string | null> {
  const { issuer, archives, clock, log } = tools
  const { pipeline, folder, due } = round
  const download = openCertificates({ issuer, hosts: archives.hosts, clock })
  const credentials = due.map(({ credentialId }) => credentialId)
  const { all, away } = await fetchAll(credentials, { download, folder, clock, signal }, (one) =>
    noteKept(tools, round, one),
  )
  const count = all.filter((one) => 'kept' in one).length
  if (count > 0) log.event('archive.kept', { pipeline, count })
  const failed = all.flatMap((one) => (one.standing === 'failed' ? [one] : []))
  const last = failed.at(-1)
  if (away && last) return speakable(last.error)
  for (const one of failed) await noteTrouble(tools, round, one)
  return null
}

async function noteKept({ ledger, log }: ArchiveTools, { pipeline, folder, due }: Round, one: Fetched): Promise<void> {
  if (!('kept' in one)) return
  const ids = due.filter(({ credentialId }) => credentialId === one.id).map(({ issuanceId }) => issuanceId)
  await ledger.archives.noteKept(pipeline, ids, { ...one.kept, folder: folder.path })
  if (one.kept.file.endsWith('.html')) log.event('archive.page', { pipeline, issuance: ids[0] ?? 0 })
}

async function noteTrouble(
  { ledger, tuning, log }: ArchiveTools,
  { pipeline, due }: Round,
  one: { id: string; error: unknown },
) {
  for (const { issuanceId, tries } of due.filter(({ credentialId }) => credentialId === one.id)) {
    await ledger.archives.noteTrouble([issuanceId], speakable(one.error), nextDelay(tries + 1, tuning.archiveAgain.one))
    log.event('archive.refused', { pipeline, issuance: issuanceId, error: (one.error as Error).name })
  }
}
