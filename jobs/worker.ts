// The worker process's inside: stories attached to their queues, and the sweeper's timer.

import type { App } from '#src/app.ts'
import { type WorkName, workNames } from '#src/cli/doing.ts'
import type { Session } from '#src/database/database.ts'
import { attach, processorsFor } from './processors.ts'
import { type ShownHere, showOurselves } from './show-ourselves.ts'
import { sweepNow } from './sweep.ts'
import { askForLooks, beginWatching } from './watch-inboxes.ts'

export interface Worker extends AsyncDisposable {
  /** Settles when the worker must not go on: the lock that makes it the only one was lost with its connection. */
  readonly lost: Promise<void>
  /** Takes no new work, lets calls under way end within the deadline, and closes. A second call gets the first one's answer. */
  stop(): Promise<{ unfinished: number }>
}

/**
 * @param options.inboxes whether files are taken from inboxes: by `start` they are, while a command that issues one file does that alone
 * @returns null when another worker process works on this ledger, and one is all there may be without Redis
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
    if (chosen.has('archive')) await app.ledger.archives.watch(app.archives.all)
    await attach(app.queues, app, chosen)
    if (inboxes && chosen.has('intake')) await tendInboxes(app)
    app.log.event('worker.started', {
      instance: app.instance,
      storage: app.storage,
      environment: app.ledger.environment,
    })
    return runningWorker(app, { lock, shown, sweeping: chosen.has('sweep') ? startSweeping(app, lock, inboxes) : null })
  } catch (error) {
    await shown?.end()
    await lock?.release()
    throw error
  }
}

async function tendInboxes(app: App): Promise<void> {
  if (app.inboxes.all.length === 0) return
  if (app.exclusive) await app.ledger.inboxes.forgetAsked()
  await app.queues.work('collect', processorsFor(app).collect)
  await beginWatching(app)
}

function runningWorker(
  app: App,
  { lock, shown, sweeping }: { lock: Session | null; shown: ShownHere; sweeping: Sweeping | null },
): Worker {
  let stopped: Promise<{ unfinished: number }> | null = null
  async function stop() {
    app.log.event('worker.stopping', { instance: app.instance })
    await sweeping?.stop()
    // Calls that wait for their turn end as not sent; those under way go on to their answer.
    await app.gates.stop()
    const left = await app.queues.stop(app.tuning.stopMs)
    await shown.end()
    await lock?.release()
    app.log.event('worker.stopped', { instance: app.instance, count: left.unfinished })
    return left
  }
  const stopOnce = () => {
    stopped ??= stop()
    return stopped
  }
  return {
    lost: lock?.lost ?? new Promise(() => {}),
    stop: stopOnce,
    [Symbol.asyncDispose]: async () => void (await stopOnce()),
  }
}

interface Sweeping {
  stop(): Promise<void>
}

/** Sweeps until stopped. A sweep that fails is logged and the next one tries again: the ledger remembers everything. */
function startSweeping(app: App, lock: Session | null, inboxes: boolean): Sweeping {
  const ending = new AbortController()
  async function loop() {
    while (!ending.signal.aborted) {
      const fault = (where: string) => (error: Error) => app.log.event('fault', { where, error: error.name })
      await sweepNow(app, lock).catch(fault('sweep'))
      if (inboxes) await askForLooks(app).catch(fault('inboxes'))
      await app.clock.sleep(app.tuning.sweepMs, ending.signal).catch(() => {})
    }
  }
  const looping = loop()
  return {
    async stop() {
      ending.abort()
      await looping
    },
  }
}
