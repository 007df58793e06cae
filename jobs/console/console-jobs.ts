// The worker's jobs for the console: they remove old entries of its log, and files that it left behind. The console
// removes such files itself, but may be turned off while there are some.

import type { ExtensionJobs } from '#jobs/extension-jobs.ts'
import type { App } from '#src/app/app.ts'
import { removeAbandonedDownloads } from '#src/extensions/console/make-download.ts'
import { openUploads } from '#src/extensions/console/uploads/open-uploads.ts'
import { removeOldUploads } from '#src/extensions/console/uploads/remove-old-uploads.ts'

export const consoleJobs: ExtensionJobs = {
  turns: {
    async uploads(app) {
      await removeAbandonedDownloads(app.settings.dataDir, app.clock.now())
      await removeOldUploads(app, openUploads(app.settings.dataDir), app.clock.now())
      return false
    },
    'console log': (app) => expireConsoleActs(app),
  },
}

const dayMs = 86_400_000
/** Limited, because a new setting may apply to a log of several years. */
const perTurn = 10_000

/**
 * Runs one turn of deleting what the console logs for a limited number of days: who signed in, and who looked at whom.
 * Decisions stay, because they are in the history of their row, their run or their revocation.
 * @returns whether there may be more to do soon
 */
export async function expireConsoleActs({
  ledger,
  settings,
  clock,
  log,
}: Pick<App, 'ledger' | 'settings' | 'clock' | 'log'>): Promise<boolean> {
  const days = settings.file.console?.keepDays
  if (days === undefined) return false
  const count = await ledger.consoleActs.expire(new Date(clock.now().getTime() - days * dayMs), perTurn)
  if (count > 0) log.event('console.expired', { count })
  return count === perTurn
}
