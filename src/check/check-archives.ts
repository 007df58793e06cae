// Each archive: is its folder there, or may it be made, and may it be written?

import type { App } from '#src/app.ts'
import { archiveFault } from '#src/downloads/open-archives.ts'
import { badSentence, type Check, good } from './check.ts'

/** Without the ledger nobody knows which folder was used before. */
export async function checkArchives({
  archives,
  ledger,
}: Pick<App, 'archives'> & { ledger: Pick<App['ledger'], 'archives'> | null }): Promise<Check[]> {
  const checks: Check[] = []
  for (const { pipeline, folder } of archives.all) {
    const usedFolder = ledger ? (await ledger.archives.memoryOf(pipeline)).usedFolder : null
    const fault = await archiveFault(folder, usedFolder)
    const more = { pipeline }
    checks.push(
      fault === null ? good('archive', `${folder} can be written`, more) : badSentence('archive', fault, more),
    )
  }
  return checks
}
