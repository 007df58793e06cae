// Checks that the folder of each archive exists or can be created, and is writable. Reads the ledger and the file
// system.

import type { App } from '#src/app/app.ts'
import { type Check, faultyFromSentence, passed } from '#src/check/check-result.ts'
import { archiveFault, openArchives } from '#src/extensions/certificates/open-archives.ts'

interface ArchiveParts {
  settings: { file: { pipelines: Parameters<typeof openArchives>[0] } }
  ledger: Pick<App['ledger'], 'archives'> | null
}

/** Without the ledger, a change of the folder is not noticed, because the last folder in use is recorded there. */
export async function checkArchives({ settings, ledger }: ArchiveParts): Promise<Check[]> {
  // Nothing is downloaded, so no host is allowed.
  const archives = openArchives(settings.file.pipelines, [])
  const checks: Check[] = []
  for (const { pipeline, folder } of archives.all) {
    const usedFolder = ledger ? (await ledger.archives.recordOf(pipeline)).usedFolder : null
    const fault = await archiveFault(folder, usedFolder)
    const subject = { pipeline }
    checks.push(
      fault === null
        ? passed('archive', `${folder} is writable`, subject)
        : faultyFromSentence('archive', fault, subject),
    )
  }
  return checks
}
