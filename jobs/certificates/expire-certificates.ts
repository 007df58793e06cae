// Removes archived certificates that have been kept for as long as the settings say.

import type { App } from '#src/app/app.ts'
import { DownloadFolderError } from '#src/extensions/certificates/download-folder-error.ts'
import { removeCertificates } from '#src/extensions/certificates/remove-certificates.ts'
import { faultName } from '#src/platform/log/fault-name.ts'

type ExpiryTools = Pick<App, 'ledger' | 'settings' | 'archives' | 'log'>

const filesPerTurn = 300

/**
 * Removes archived certificates that have been kept for as long as the settings say, a few hundred per turn. Skips an
 * archive that another process is working on.
 * @returns whether there may be more to do soon
 */
export async function expireCertificates({ ledger, settings, archives, log }: ExpiryTools): Promise<boolean> {
  let removed = 0
  for (const { pipeline } of archives.all) {
    const days = settings.file.pipelines[pipeline]?.archive?.keepDays
    if (days === undefined) continue
    const work = async () => {
      const old = await ledger.archives.old(pipeline, days, filesPerTurn - removed)
      for (const folder of new Set(old.map((each) => each.folder))) {
        const here = old.filter((each) => each.folder === folder)
        await removeCertificates(
          folder,
          here.map(({ credentialId }) => credentialId),
        )
        await ledger.archives.noteRemoved(here.map(({ issuanceId }) => issuanceId))
        removed += here.length
      }
    }
    try {
      if (removed < filesPerTurn) await ledger.locks.withLock(`archive:${pipeline}`, work, false)
    } catch (error) {
      if (!(error instanceof DownloadFolderError)) throw error
      log.event('fault', { where: 'expiry', pipeline, error: faultName(error) })
    }
  }
  if (removed > 0) log.event('files.expired', { count: removed })
  return removed > 0
}
