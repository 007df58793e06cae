// Checks that the folder of each archive exists or can be created, and is writable. Reads the ledger and the file
// system.

import type { App } from '#src/app/app.ts'
import { type Check, faultyFromSentence, passed } from '#src/check/check-result.ts'
import { whyFolderUnusable } from '#src/extensions/certificates/download-folder.ts'

interface ArchiveParts {
  settings: { file: { pipelines: { [name: string]: { archive?: { to: string } | undefined } } } }
  ledger: Pick<App['ledger'], 'archives'> | null
}

/** Without the ledger, a change of the folder is not noticed, because the last folder in use is recorded there. */
export async function checkArchives({ settings, ledger }: ArchiveParts): Promise<Check[]> {
  const checks: Check[] = []
  for (const [pipeline, { archive }] of Object.entries(settings.file.pipelines)) {
    if (!archive) continue
    const folder = archive.to
    const usedFolder = ledger ? (await ledger.archives.recordOf(pipeline)).usedFolder : null
    const fault = await whyFolderUnusable(folder, usedFolder)
    const subject = { pipeline }
    checks.push(
      fault === null
        ? passed('archive', `${folder} is writable`, subject)
        : faultyFromSentence('archive', fault, subject),
    )
  }
  return checks
}
