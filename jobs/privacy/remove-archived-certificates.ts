// Removes the archived certificates of the people of an erasure.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import type { ErasedCertificate } from '#src/extensions/privacy/ledger/files-to-clean.ts'

/** How many runs and batches of certificates may still be cleaned. Each takes up to a second or two. */
export interface FileSteps {
  left: number
}

/** Each batch reads all names in the folder once. */
const batchSize = 500

/**
 * Holds the lock of the archive, so that no download of the same certificate is in progress.
 * @param steps how many batches are removed at most
 * @returns what it waits for
 */
export async function removeArchivedCertificates(
  { ledger, archives }: Pick<ExtensionTools, 'ledger' | 'archives'>,
  erasureId: string,
  steps: FileSteps,
): Promise<string[]> {
  const problems = new Map<string, string>()
  for (;;) {
    const options = { except: [...problems.keys()], limit: batchSize }
    const due = await ledger.erasures.certificatesToRemove(erasureId, options)
    const [first] = due
    if (!first) return [...problems.values()]
    if (steps.left <= 0) return [...problems.values(), 'Archived certificates are being removed.']
    steps.left--
    const { pipeline } = first
    const ofPipeline = due.filter((each) => each.pipeline === pipeline)
    const remove = () => removeAll({ ledger, archives }, ofPipeline)
    const problem = await ledger.locks.withLock(`archive:${pipeline}`, remove, false)
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
