// Watches this worker's loops: if a loop stalls although nothing outside the process blocks it, /health/live fails. The
// worker of a queue runs BullMQ's loop instead of ours, so its progress is checked: it has stalled if jobs wait and it
// starts none, on consecutive checks.

import type { App } from '#src/app/app.ts'
import type { QueueName, WorkingQueue } from '#src/platform/queue/open-queues.ts'

const checkEveryMs = 15_000

/**
 * How long each loop may make no progress. A single statement of the sweep may take five minutes before PostgreSQL
 * cancels it.
 */
export const stallLimits = { timers: 60_000, sweep: 600_000, queue: 300_000 }

export interface Watchdog {
  end(): Promise<void>
}

type WatchdogTools = Pick<App, 'progress' | 'queues' | 'clock' | 'canConnect'>

export function startWatchdog(app: WatchdogTools, everyMs = checkEveryMs): Watchdog {
  const { progress, clock } = app
  const timers = progress.watch('timers', stallLimits.timers)
  const controller = new AbortController()
  const checkQueues = watchQueues(app)
  async function loop() {
    while (!controller.signal.aborted) {
      timers.iterationEnded()
      await tolerateDatabaseOutage(app)
      await checkQueues()
      await clock.sleep(everyMs, controller.signal).catch(() => {})
    }
  }
  const looping = loop()
  return {
    async end() {
      controller.abort()
      await looping
      for (const { name } of progress.loops()) progress.watch(name, 0).end()
    },
  }
}

/**
 * A sweep that waits for an unavailable database is no reason to restart. A second connection shows whether the
 * database is unavailable.
 */
async function tolerateDatabaseOutage({ progress, canConnect }: WatchdogTools): Promise<void> {
  const isSweepWaiting = progress.loops().some(({ name, idleMs, limitMs }) => name === 'sweep' && idleMs > limitMs / 2)
  if (isSweepWaiting && !(await canConnect())) progress.countIteration('sweep')
}

function watchQueues({ queues, progress }: WatchdogTools): () => Promise<void> {
  const startedBefore = new Map<QueueName, number>()
  return async () => {
    // While the store is unavailable, no jobs count as waiting.
    const depths = await queues.depths().catch(() => null)
    for (const worker of queues.working()) {
      const { name, startedCount } = worker
      const earlierCount = startedBefore.get(name)
      startedBefore.set(name, startedCount)
      if (earlierCount === undefined) progress.watch(`queue ${name}`, stallLimits.queue)
      else if (!isStalled(worker, earlierCount, depths?.[name].waiting ?? 0)) progress.countIteration(`queue ${name}`)
    }
  }
}

/**
 * Returns whether a worker has started no job since the last check although jobs were waiting, or no longer runs. Pure.
 */
export function isStalled(
  { isRequesting, startedCount, unfinishedCount }: WorkingQueue,
  startedBefore: number,
  waiting: number,
): boolean {
  return !isRequesting || (waiting > 0 && unfinishedCount === 0 && startedCount === startedBefore)
}
