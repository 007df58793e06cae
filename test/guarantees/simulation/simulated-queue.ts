// The queue of a simulation: it loses, repeats and delays jobs as the weather says, and is emptied periodically.

import type { Queues } from '#src/platform/queue/open-queues.ts'
import { type QueueName, queues } from '#src/platform/queue/queues.ts'
import type { Verdict } from '#src/platform/queue/verdict.ts'
import type { Dice } from '#test/support/seeded-random.ts'
import type { Process } from './simulated-process.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Weather } from './weather.ts'

type Run = (payload: never, context: { signal: AbortSignal }) => Promise<Verdict>

interface Job {
  name: QueueName
  payload: unknown
  failures: number
}

interface Desk {
  process: Process
  name: QueueName
  run: Run
  busy: number
  concurrency: () => number
}

export interface Backlog {
  /** The queues of one process; they stop with the process. */
  for(process: Process): Pick<Queues, 'enqueue' | 'work' | 'stop' | 'empty' | 'isNew' | 'noteRestored' | 'storeId'>
  /** Deletes every waiting job. */
  flush(): void
  /** Number of jobs started so far. */
  readonly startedCount: number
}

/** A job whose process has died returns when its lock expires. */
const lockMs = 300_000

export function openBacklog(time: VirtualClock, dice: Dice, weather: Weather): Backlog {
  const waiting: Job[] = []
  let desks: Desk[] = []
  let startedCount = 0
  let marker: 'none' | 'found' | 'restored' = 'none'

  function put(job: Job, delayMs: number): void {
    void time.sleep(delayMs).then(() => {
      waiting.push(job)
      serve()
    })
  }

  function serve(): void {
    desks = desks.filter((desk) => desk.process.alive)
    for (let index = 0; index < waiting.length; index++) {
      const job = waiting[index] as Job
      const idle = desks.filter((desk) => desk.name === job.name && desk.busy < desk.concurrency())
      if (idle.length === 0) continue
      waiting.splice(index--, 1)
      void work(job, dice.pick(idle))
    }
  }

  async function work(job: Job, desk: Desk): Promise<void> {
    startedCount++
    desk.busy++
    const context = { signal: new AbortController().signal }
    const ended = desk.run(job.payload as never, context).catch((error): Verdict => ({ kind: 'retry', error }))
    const verdict = await Promise.race([ended, desk.process.died.then(() => null)])
    if (verdict === null) return put(job, lockMs)
    desk.busy--
    if (verdict.kind === 'snooze') put(job, verdict.ms)
    if (verdict.kind === 'retry' && ++job.failures < queues[job.name].options.attempts)
      put(job, 1_000 * 2 ** job.failures)
    serve()
  }

  return {
    get startedCount() {
      return startedCount
    },
    flush() {
      waiting.splice(0)
      marker = 'none'
    },
    for: (process) => ({
      async enqueue(name, payload, { delayMs = 0 } = {}) {
        await process.pause()
        const fate = weather.job(dice, time.monotonicMs())
        const copies = fate === 'lost' ? 0 : fate === 'twice' ? dice.between(2, 3) : 1
        for (let copy = 0; copy < copies; copy++)
          put({ name, payload, failures: 0 }, delayMs + (fate === 'well' ? 1 : dice.between(1, 60_000)))
        return true
      },
      async work(name, run, { concurrency = () => queues[name].options.concurrency } = {}) {
        desks.push({ process, name, run: run as Run, busy: 0, concurrency })
        serve()
      },
      async stop() {
        desks = desks.filter((desk) => desk.process !== process)
        return { unfinished: 0 }
      },
      async empty() {
        waiting.splice(0)
      },
      storeId: async () => null,
      async isNew() {
        if (marker === 'none') marker = 'found'
        return marker === 'found'
      },
      async noteRestored() {
        if (marker === 'found') marker = 'restored'
      },
    }),
  }
}
