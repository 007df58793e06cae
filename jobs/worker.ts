// The worker process's inside: stories attached to their queues, the sweeper's timer, and who watches that it all turns.

import type { App } from '#src/app.ts'
import { type WorkName, workNames } from '#src/cli/doing.ts'
import type { Session } from '#src/database/database.ts'
import { beginLearning } from './begin-learning.ts'
import { compareClocks } from './compare-clocks.ts'
import { keepSweeping, type Sweeping } from './keep-sweeping.ts'
import { attach, processorsFor } from './processors.ts'
import { type ShownHere, showOurselves } from './show-ourselves.ts'
import { warnOfIdentities } from './warn-of-identities.ts'
import { beginWatching } from './watch-inboxes.ts'
import { watchProgress } from './watch-progress.ts'

export interface Worker extends AsyncDisposable {
  /** Settles when the worker must not go on: its lock was lost with its connection, and with it the certainty that it is the only one, or of the only kind. */
  readonly lost: Promise<void>
  /** Takes no new work, lets calls under way end within the deadline, and closes. A second call gets the first one's answer. */
  stop(): Promise<{ unfinished: number }>
}

/**
 * @param options.inboxes whether files are taken from inboxes: by `start` they are, while a command that issues one file does that alone
 * @returns null when a worker works on this ledger beside which there must not be this one: without Redis there may be one only
 */
export async function startWorker(
  app: App,
  only: readonly WorkName[] = workNames,
  { inboxes = false } = {},
): Promise<Worker | null> {
  const lock = app.exclusive ? await app.ledger.holdLock('worker') : null
  if (app.exclusive && !lock) return null
  let shown: ShownHere | null = null
  try {
    const chosen = new Set(only)
    if (app.exclusive) await app.ledger.forgetAsked()
    shown = await showOurselves(app, lock)
    if (!shown) return null
    if (chosen.has('archive')) await app.ledger.archives.watch(app.archives.all)
    if (chosen.has('intake') && inboxes) await beginLearning(app)
    await attach(app.queues, app, chosen)
    if (inboxes && chosen.has('intake')) await tendInboxes(app)
    app.log.event('worker.started', {
      instance: app.instance,
      storage: app.storage,
      environment: app.ledger.environment,
    })
    warnOfIdentities(app)
    const clocks = compareClocks(app)
    const standing = { lock, mayBury: shown.mayBury }
    return runningWorker(app, {
      lock,
      shown,
      clocks,
      sweeping: chosen.has('sweep') ? keepSweeping(app, standing, inboxes) : null,
    })
  } catch (error) {
    await shown?.end(true)
    await lock?.release()
    throw error
  }
}

async function tendInboxes(app: App): Promise<void> {
  if (app.inboxes.all.length === 0) return
  await app.queues.work('collect', processorsFor(app).collect)
  await beginWatching(app)
}

interface Running {
  lock: Session | null
  shown: ShownHere
  clocks: ReturnType<typeof compareClocks>
  sweeping: Sweeping | null
}

function runningWorker(app: App, { lock, shown, clocks, sweeping }: Running): Worker {
  let stopped: Promise<{ unfinished: number }> | null = null
  const watching = watchProgress(app, app.tuning.watchMs)
  async function stop() {
    app.log.event('worker.stopping', { instance: app.instance })
    clocks.stop()
    await watching.end()
    await sweeping?.stop()
    // Calls that wait for their turn end as not sent; those under way go on to their answer.
    await app.gates.stop()
    const left = await app.queues.stop(app.tuning.stopMs)
    await shown.end(left.unfinished === 0)
    await lock?.release()
    app.log.event('worker.stopped', { instance: app.instance, count: left.unfinished })
    return left
  }
  const stopOnce = () => {
    stopped ??= stop()
    return stopped
  }
  return {
    lost: shown.lost,
    stop: stopOnce,
    [Symbol.asyncDispose]: async () => void (await stopOnce()),
  }
}
