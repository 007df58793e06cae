// Removes files of runs that have been kept for as long as the settings say.

import { basename, join } from 'node:path'
import type { App } from '#src/app/app.ts'
import { takenAt } from '#src/files/inbox/taken-file-name.ts'
import { filesByRun, removeOldFiles } from '#src/files/inbox/worker-folder.ts'
import { faultName } from '#src/platform/log/fault-name.ts'

type ExpiryTools = Pick<App, 'ledger' | 'settings' | 'inboxes' | 'log' | 'clock'>

const filesPerTurn = 300

/**
 * Runs one turn of removing files, unless another process is doing so.
 * @returns whether there may be more to do soon
 */
export async function expireOldFiles(tools: ExpiryTools): Promise<boolean> {
  return (await tools.ledger.locks.withLock('expiry', () => expireFiles(tools), false)) !== 0
}

/**
 * Removes files of runs that ended, once they have been kept for as long as the settings say. Deliberately slow: a turn
 * removes a few hundred files, so that a new setting does not occupy the disk for hours.
 * @returns how many were removed; at most a few hundred
 */
export async function expireFiles({ ledger, settings, inboxes, log, clock }: ExpiryTools): Promise<number> {
  const { keepDays } = settings.file.files
  if (keepDays === undefined) return 0
  const ofInboxes = inboxes.all.flatMap(({ folder }) => ['outbox', 'done', 'refused'].map((name) => join(folder, name)))
  const now = clock.now()
  let removed = 0
  for (const folder of [join(settings.dataDir, 'outbox'), ...ofInboxes]) {
    const files = await filesByRun(folder)
    const named = [...files].flatMap(([prefix, names]) =>
      names.map((name) => ({ prefix, name, at: takenAt(name) ?? now })),
    )
    const finished = await ledger.finishedRuns.finishedBefore([...files.keys()], keepDays, {
      [basename(folder)]: named,
    })
    const names = [...files].flatMap(([prefix, each]) => (finished.has(prefix) ? each : []))
    const chosen = names.slice(0, filesPerTurn - removed)
    if (chosen.length === 0) continue
    try {
      await removeOldFiles(folder, chosen)
      removed += chosen.length
    } catch (error) {
      log.event('fault', { where: 'expiry', error: faultName(error) })
    }
  }
  if (removed > 0) log.event('files.expired', { count: removed })
  return removed
}
