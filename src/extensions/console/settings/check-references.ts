// Checks the settings of the console against the others: the pipelines to which its grants refer exist. Pure, except
// that it appends to the list of faults.

import type { SettingsFault } from '#config/read-variable.ts'
import type { FileSettings } from '#config/schema.ts'

export function checkConsoleReferences({ console: settings, pipelines }: FileSettings, faults: SettingsFault[]): void {
  for (const way of ['proxy', 'oidc'] as const)
    for (const [index, grant] of (settings?.auth[way]?.grants ?? []).entries())
      for (const pipeline of grant.pipelines ?? [])
        if (!Object.hasOwn(pipelines, pipeline))
          faults.push({
            where: `console.auth.${way}.grants.${index}.pipelines`,
            sentence: `names ${JSON.stringify(pipeline)}, which is not in \`pipelines\`; it has: ${Object.keys(pipelines).join(', ')}`,
          })
}
