// The sweep timer. Each round compares the mark with the ledger, sweeps, and queues scans of due inboxes.

import { expireConsoleActs } from '#jobs/console/expire-console-acts.ts'
import { compareMarkAgain } from '#jobs/high-water-mark.ts'
import { enqueueInboxScans } from '#jobs/inbox/watch-inboxes.ts'
import { noteSweep } from '#jobs/note-obstacles.ts'
import { expireOldFiles } from '#jobs/privacy/expire-files.ts'
import { expireData } from '#jobs/privacy/retention.ts'
import type { App } from '#src/app/app.ts'
import { removeAbandonedDownloads } from '#src/extensions/console/make-download.ts'
import { openUploads } from '#src/extensions/console/uploads/open-uploads.ts'
import { removeOldUploads } from '#src/extensions/console/uploads/remove-old-uploads.ts'
import { DatabaseUnreachableError } from '#src/platform/database/database-error.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { ReapAuthority } from './rescue-orphans.ts'
import { runWhenDue } from './run-when-due.ts'
import { sweepNow } from './sweep.ts'
import { stallLimits } from './watchdog.ts'

export interface SweepLoop {
  stop(): Promise<void>
}

/** Sweeps until stopped. A failed sweep is logged and repeated in the next round: everything due is in the ledger. */
export function startSweepLoop(app: App, authority: ReapAuthority, inboxes: boolean): SweepLoop {
  const controller = new AbortController()
  const progress = app.progress.watch('sweep', stallLimits.sweep)
  const [nextExpiry, nextRetention, nextUploads, nextActs] = [{ atMs: 0 }, { atMs: 0 }, { atMs: 0 }, { atMs: 0 }]
  async function loop() {
    while (!controller.signal.aborted) {
      const logFault = (where: string) => (error: Error) => app.log.event('fault', { where, error: faultName(error) })
      await compareMarkAgain(app)
      const sweepError = await sweepNow(app, authority).then(
        () => null,
        (error: Error) => error,
      )
      if (sweepError) logFault('sweep')(sweepError)
      await noteSweep(app, sweepError).catch(logFault('obstacle'))
      // If this process gets no connection while other processes do, it has leaked its connections, and only a restart
      // frees them. See watchdog.ts.
      if (!(sweepError instanceof DatabaseUnreachableError)) progress.iterationEnded()
      if (inboxes) await runWhenDue(app.clock, nextExpiry, () => expireOldFiles(app)).catch(logFault('expiry'))
      if (inboxes) await runWhenDue(app.clock, nextRetention, () => expireData(app)).catch(logFault('retention'))
      // The console does the same, but may have been turned off with files in its folders.
      if (inboxes) await runWhenDue(app.clock, nextUploads, () => removeUploads(app)).catch(logFault('uploads'))
      if (inboxes) await runWhenDue(app.clock, nextActs, () => expireConsoleActs(app)).catch(logFault('console log'))
      if (inboxes) await enqueueInboxScans(app).catch(logFault('inboxes'))
      await app.clock.sleep(app.tuning.sweepMs, controller.signal).catch(() => {})
    }
  }
  const looping = loop()
  return {
    async stop() {
      controller.abort()
      progress.end()
      await looping
    },
  }
}

/** @returns that there is nothing more to do soon */
async function removeUploads(app: App): Promise<boolean> {
  await removeAbandonedDownloads(app.settings.dataDir, app.clock.now())
  await removeOldUploads(app, openUploads(app.settings.dataDir), app.clock.now())
  return false
}
