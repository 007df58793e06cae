// Notes that nothing expires, if the settings say so nowhere: personal data would be kept forever. Pure.

import type { FileSettings } from '#config/schema.ts'
import { type Check, passed } from '#src/check/check-result.ts'

export function checkExpiry({ files, pipelines }: Pick<FileSettings, 'files' | 'pipelines'>): Check[] {
  const days = [
    files.keepDays,
    ...Object.values(pipelines).flatMap(({ archive, retentionDays }) => [archive?.keepDays, retentionDays]),
  ]
  if (days.some((each) => each !== undefined)) return []
  const notice =
    'nothing expires: files and personal data are kept for ever. Set files.keepDays and archive.keepDays if they should not be'
  return [passed('expiry', 'no setting limits how long anything is kept', { notices: [notice] })]
}
