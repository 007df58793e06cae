// Removes the archived certificates of an erasure. Holds the lock of the archive, so that no download of the same
// certificate is under way.

import type { Tools } from '#jobs/job-tools.ts'
import { DownloadFolderError } from '#src/issuing/certificates/download-folder-error.ts'
import { hasManifest, removeCertificates } from '#src/issuing/certificates/remove-certificates.ts'
import type { ErasedCertificate } from '#src/ledger/erasure/erased-files.ts'
import { type FileTime, withinFileTime } from './file-time.ts'

/** Each batch looks at all names in the folder once. */
const batchSize = 500

/**
 * @param time what is not removed in it is left to the next call; a batch is removed to its end
 * @returns what it waits for, in sentences
 */
export async function removeErasedCertificates(
  { ledger, clock }: Pick<Tools, 'ledger' | 'clock'>,
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
    const remove = () => ledger.locks.withLock(`archive:${pipeline}`, () => removeAll(ledger, ofPipeline), false)
    const problem = await withinFileTime(clock, time, remove)
    if (problem === null) problems.set(pipeline, `Certificates of pipeline ${pipeline} are being downloaded.`)
    else if (problem !== '') problems.set(pipeline, `The archive of pipeline ${pipeline}: ${problem}`)
  }
}

/** @returns why they could not be removed; empty if they were */
async function removeAll(ledger: Tools['ledger'], certificates: readonly ErasedCertificate[]): Promise<string> {
  const byFolder = new Map<string, string[]>()
  for (const { credentialId, folders, configured } of certificates)
    for (const folder of new Set([...folders, ...(configured !== null ? [configured] : [])]))
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), credentialId])
  const required = new Set(certificates.flatMap(({ folders }) => folders))
  try {
    for (const [folder, ids] of byFolder)
      if (required.has(folder) || (await hasManifest(folder))) await removeCertificates(folder, ids)
  } catch (error) {
    if (!(error instanceof DownloadFolderError)) throw error
    return error.message
  }
  await ledger.erasures.noteRemoved(certificates.map(({ issuanceId }) => issuanceId))
  return ''
}
