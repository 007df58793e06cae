// What a person should know about the workers before a list is handed over: it stays on this machine.

import { hostname } from 'node:os'
import type { Console } from '../../visit.ts'

export async function workerWarnings({ parts }: Console): Promise<string[]> {
  const workers = await parts.ledger.consoleReadings.workers()
  if (workers.length === 0) return ['No worker is running. The list waits until one does.']
  if (workers.some(({ host }) => host === hostname())) return []
  return [
    `No worker runs on this machine. One on another machine (${[...new Set(workers.map(({ host }) => host))].join(', ')}) can read the list only if both have the same data directory; otherwise it is refused after ten minutes, and nothing is issued.`,
  ]
}
