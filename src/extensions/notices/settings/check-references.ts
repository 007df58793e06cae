// Checks the settings of notices against the others: what they refer to exists, and suits its source. Pure, except that
// it appends to the list of faults.

import type { SettingsFault } from '#config/read-variable.ts'
import type { FileSettings } from '#config/schema.ts'

/**
 * Appends a fault for each recipient without the mail server that it needs, or of a pipeline that does not exist, and
 * for each deadline for completions.
 */
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
  for (const [name, { source, expect }] of Object.entries(pipelines))
    if (source && 'system' in source && expect && 'by' in expect)
      faults.push({
        where: `pipelines.${name}.expect.by`,
        sentence:
          'is a deadline for lists, and this pipeline gets completions, which come at any time; write `expect: { within: 7d }`',
      })
}
