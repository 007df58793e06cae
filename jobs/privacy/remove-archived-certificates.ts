// Removes the archived certificates of an erasure, in the time that one sweep has for files.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import type { ErasedCertificate } from '#src/extensions/privacy/ledger/files-to-clean.ts'
import type { Clock } from '#src/platform/time/clock.ts'

/** How long files may be written or removed. A step that takes longer still runs to its end. */
export interface FileTime {
  leftMs: number
}

/** Runs a step, and subtracts the time that it takes, even if it fails. */
export async function withinFileTime<Result>(
  clock: Clock,
  time: FileTime,
  step: () => Promise<Result>,
): Promise<Result> {
  const beganMs = clock.monotonicMs()
  try {
    return await step()
  } finally {
    time.leftMs -= clock.monotonicMs() - beganMs
  }
}

/** Each batch reads all names in the folder once. */
const batchSize = 500

/**
 * Holds the lock of the archive, so that no download of the same certificate is in progress.
 * @returns what it waits for
 */
export async function removeErasedCertificates(
  { ledger, clock, archives }: Pick<ExtensionTools, 'ledger' | 'clock' | 'archives'>,
  erasureId: string,
  time: FileTime,
): Promise<string[]> {
  const problems = new Map<string, string>()
  for (;;) {
    const options = { except: [...problems.keys()], limit: batchSize }
    const due = await ledger.erasures.certificatesToRemove(erasureId, options)
    const [first] = due
    if (!first) return [...problems.values()]
    if (time.leftMs <= 0) return [...problems.values(), 'Archived certificates are being removed.']
    const { pipeline } = first
    const ofPipeline = due.filter((each) => each.pipeline === pipeline)
    const remove = () =>
      ledger.locks.withLock(`archive:${pipeline}`, () => removeAll({ ledger, archives }, ofPipeline), false)
    const problem = await withinFileTime(clock, time, remove)
    if (problem === null) problems.set(pipeline, `Certificates of pipeline ${pipeline} are being downloaded.`)
    else if (problem !== '') problems.set(pipeline, `The archive of pipeline ${pipeline}: ${problem}`)
  }
}

/** @returns why they could not be removed; empty if they were */
async function removeAll(
  { ledger, archives }: Pick<ExtensionTools, 'ledger' | 'archives'>,
  certificates: readonly ErasedCertificate[],
): Promise<string> {
  const byFolder = new Map<string, string[]>()
  for (const { credentialId, folders, configured } of certificates)
    for (const folder of new Set([...folders, ...(configured !== null ? [configured] : [])]))
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), credentialId])
  const required = new Set(certificates.flatMap(({ folders }) => folders))
  for (const [folder, ids] of byFolder) {
    const problem = await archives.remove(folder, ids, required.has(folder))
    if (problem !== null) return problem
  }
  await ledger.archives.noteRemoved(certificates.map(({ issuanceId }) => issuanceId))
  return ''
}
