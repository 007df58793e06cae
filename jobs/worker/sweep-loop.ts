// The sweep timer. Each round compares the mark with the ledger, sweeps, runs the due turns of extensions, and queues
// scans of due inboxes.

import { extensionJobs } from '#jobs/extensions.ts'
import { compareMarkAgain } from '#jobs/high-water-mark.ts'
import { enqueueInboxScans } from '#jobs/inbox/enqueue-scans.ts'
import { noteSweep } from '#jobs/note-obstacles.ts'
import type { App } from '#src/app/app.ts'
import { DatabaseUnreachableError } from '#src/platform/database/database-error.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { ReapAuthority } from './rescue-orphans.ts'
import { sweepNow } from './sweep.ts'
import { stallLimits } from './watchdog.ts'

export interface SweepLoop {
  stop(): Promise<void>
}

/** Sweeps until stopped. A failed sweep is logged and repeated in the next round: everything due is in the ledger. */
export function startSweepLoop(app: App, authority: ReapAuthority, inboxes: boolean): SweepLoop {
  const controller = new AbortController()
  const progress = app.progress.watch('sweep', stallLimits.sweep)
  const turns = extensionJobs.flatMap((extension) =>
    Object.entries(extension.turns ?? {}).map(([name, take]) => ({ name, take, next: { atMs: 0 } })),
  )
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
      for (const { name, take, next } of inboxes ? turns : [])
        await runWhenDue(app.clock, next, () => take(app)).catch(logFault(name))
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

/** The pauses after a turn that did something (`busy`), and after one that did not (`idle`). */
const pauseMs = { busy: 60_000, idle: 3_600_000 }

/** When the next turn is due, by the monotonic clock. */
interface NextTurn {
  atMs: number
}

/**
 * Runs a turn if one is due. Turns are deliberately slow: a turn that did something, or failed, is followed by the next
 * one soon; otherwise there is nothing to do for a while.
 * @param turn returns whether there may be more to do soon
 */
async function runWhenDue(clock: Clock, next: NextTurn, turn: () => Promise<boolean>): Promise<void> {
  const nowMs = clock.monotonicMs()
  if (nowMs < next.atMs) return
  next.atMs = nowMs + pauseMs.busy
  if (!(await turn())) next.atMs = clock.monotonicMs() + pauseMs.idle
}
