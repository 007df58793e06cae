// Looks after this worker's own loops: what stands still, while nothing outside it is in the way, makes /health/live fail. A queue's worker
// has no loop of ours, so it is judged by what it does: jobs that wait, and none taken, again and again.

import type { App } from '#src/app.ts'
import type { QueueName, WorkingQueue } from '#src/queue/open-queues.ts'

const lookMs = 15_000

/** How long each may stand still. The sweeper's statements may take five minutes each before PostgreSQL ends them. */
export const standstill = { timers: 60_000, sweep: 600_000, queue: 300_000 }

export interface Watching {
  end(): Promise<void>
}

type Watched = Pick<App, 'progress' | 'queues' | 'clock' | 'canConnect'>

export function watchProgress(app: Watched, everyMs = lookMs): Watching {
  const { progress, clock } = app
  const timers = progress.watch('timers', standstill.timers)
  const ending = new AbortController()
  const lookAtQueues = watchQueues(app)
  async function loop() {
    while (!ending.signal.aborted) {
      timers.turned()
      await excuseWaiting(app)
      await lookAtQueues()
      await clock.sleep(everyMs, ending.signal).catch(() => {})
    }
  }
  const looping = loop()
  return {
    async end() {
      ending.abort()
      await looping
      for (const { name } of progress.loops()) progress.watch(name, 0).end()
    },
  }
}

/** A sweep may wait for a database that is away: that is no reason to begin anew. Another connection tells whether it is. */
async function excuseWaiting({ progress, canConnect }: Watched): Promise<void> {
  const waits = progress.loops().some(({ name, forMs, limitMs }) => name === 'sweep' && forMs > limitMs / 2)
  if (waits && !(await canConnect())) progress.excuse('sweep')
}

function watchQueues({ queues, progress }: Watched): () => Promise<void> {
  const begunBefore = new Map<QueueName, number>()
  return async () => {
    // A store that is away has no jobs to give.
    const depths = await queues.depths().catch(() => null)
    for (const worker of queues.working()) {
      const { name, begun } = worker
      const before = begunBefore.get(name)
      begunBefore.set(name, begun)
      if (before === undefined) progress.watch(`queue ${name}`, standstill.queue)
      else if (!standsStill(worker, before, depths?.[name].waiting ?? 0)) progress.excuse(`queue ${name}`)
    }
  }
}

/** Whether a worker did nothing since the last look, although it could have. */
export function standsStill({ asking, begun, underWay }: WorkingQueue, begunBefore: number, waiting: number): boolean {
  return !asking || (waiting > 0 && underWay === 0 && begun === begunBefore)
}
