// What a person should know about the workers before a list is handed over: it stays on this machine, and is issued with
// their settings.

import { hostname } from 'node:os'
import { otherSettingsSentence, workersOfLists } from '#src/app/running-workers.ts'
import { doesOneOf } from '#src/ledger/workers/worker-registration.ts'
import type { Console } from '../../visit.ts'

export async function workerWarnings({ parts }: Pick<Console, 'parts'>): Promise<string[]> {
  const workers = await workersOfLists(parts)
  const other = otherSettingsSentence(workers, parts.settings)
  return [
    ...whereItIsRead(workers.filter((worker) => doesOneOf(worker, ['intake']))),
    ...(other === null ? [] : [`${other}: until then, the list cannot be issued here.`]),
  ]
}

function whereItIsRead(readers: readonly { host: string }[]): string[] {
  if (readers.length === 0)
    return [
      'No worker that reads lists is running. The list waits until one does, and is issued with the settings of that one.',
    ]
  if (readers.some(({ host }) => host === hostname())) return []
  return [
    `No worker on this machine reads lists. One on another machine (${[...new Set(readers.map(({ host }) => host))].join(', ')}) can read this one only if both have the same data directory; otherwise it is refused after ten minutes, and nothing is issued.`,
  ]
}
