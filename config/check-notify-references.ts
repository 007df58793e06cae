// Checks that what the settings of notices refer to exists. Pure, except that it appends to the list of faults.

import type { FileSettings } from './schema.ts'
import type { SettingsFault } from './settings-error.ts'

/** Appends a fault for each recipient without the mail server that it needs, or of a pipeline that does not exist. */
export function checkNotifyReferences({ notify, pipelines }: FileSettings, faults: SettingsFault[]): void {
  for (const [name, recipient] of Object.entries(notify?.to ?? {})) {
    const where = `notify.to.${name}`
    if (recipient.email && !notify?.smtp)
      faults.push({
        where: `${where}.email`,
        sentence: 'needs a mail server; add `notify.smtp` with its `host` and `from`',
      })
    for (const pipeline of recipient.pipelines ?? [])
      if (!Object.hasOwn(pipelines, pipeline))
        faults.push({
          where: `${where}.pipelines`,
          sentence: `names ${JSON.stringify(pipeline)}, which is not in \`pipelines\`; it has: ${Object.keys(pipelines).join(', ')}`,
        })
  }
}
