// Whether this process is well. Live: its own loops turn; nobody is asked, so that an outage of a database restarts nobody. Ready: it could do
// its work now; everybody who asks within two seconds gets the same answer, so that probes cost nothing.

import type { App } from '#src/app.ts'
import type { Turning } from '#src/time/progress.ts'
import { remember } from '#src/time/remember.ts'
import { within } from '#src/time/within.ts'

const answerMs = 2_000

/** A question that was not answered by then never will be: its connection is dead. */
const abandonMs = 30_000

const goodForMs = 2_000

export interface Live {
  live: boolean
  /** Sentences for an operator; left out when there is nothing to say. */
  problems?: string[]
}

/** @param standing loops that should have turned by now */
export function judgeLive(standing: readonly Turning[]): Live {
  if (standing.length === 0) return { live: true }
  return { live: false, problems: standing.map(saysStanding) }
}

function saysStanding({ name, forMs, limitMs }: Turning): string {
  const what = whatStands[name] ?? `the worker of the queue ${name.replace('queue ', '')} does not take jobs`
  return `${what}, for ${minutes(forMs)} (${minutes(limitMs)} are allowed), and nothing outside this process is in the way: start it anew`
}

const whatStands: Record<string, string> = {
  sweep: 'the sweeper has not come round',
  timers: "this process's timers do not go off",
}

const minutes = (ms: number) => `${Math.floor(ms / 60_000)} min`

export interface Ready {
  ready: boolean
  database: boolean
  queues: boolean
  stopping: boolean
  /** Sentences for an operator; empty when ready. */
  problems: string[]
  /** The same of what is wrong and keeps nothing else from working; left out when there is nothing to say. */
  notices?: string[]
}

export interface Health {
  live(): Live
  ready(): Promise<Ready>
  /** Whether the database and the queue's store answer and take what is written, as `ready` knows it. */
  stores(): Promise<{ database: boolean; queues: boolean }>
  /** From now on not ready: the process is about to stop. */
  unready(): void
}

export function openHealth({ database, queues, progress, clock, learning }: HealthParts): Health {
  let stopping = false
  const ask = (question: () => Promise<unknown>) => {
    const asked = remember(clock, () => within(clock, abandonMs, question()), { forMs: goodForMs })
    return () =>
      within(clock, answerMs, asked()).then(
        (answer) => answer !== false,
        () => false,
      )
  }
  const databaseWorks = ask(() => takesWriting(database))
  const queuesWork = ask(() => queues.healthy())

  const notices = learning.unusable.map(({ system, problem }) => `nothing is told to the system ${system}: ${problem}`)

  async function stores() {
    const [first, second] = await Promise.all([databaseWorks(), queuesWork()])
    return { database: first, queues: second }
  }
  return {
    live: () => judgeLive(progress.standing()),
    stores,
    async ready() {
      const found = await stores()
      const problems = problemsOf({ ...found, stopping }, judgeLive(progress.standing()))
      return { ready: problems.length === 0, ...found, stopping, problems, ...(notices.length > 0 && { notices }) }
    },
    unready() {
      stopping = true
    },
  }
}

/** A standby, and a database that was set so, answer every question and let nobody work. */
async function takesWriting(database: App['database']): Promise<boolean> {
  const { rows } = await database.query<{ writes: boolean }>(
    `SELECT NOT current_setting('transaction_read_only')::bool AS writes`,
  )
  return rows[0]?.writes ?? false
}

type HealthParts = Pick<App, 'database' | 'queues' | 'progress' | 'clock'> & {
  learning: Pick<App['learning'], 'unusable'>
}

function problemsOf(found: Pick<Ready, 'database' | 'queues' | 'stopping'>, { problems = [] }: Live): string[] {
  return [
    ...(found.stopping ? ['this worker is stopping: it takes no new work'] : []),
    ...(found.database
      ? []
      : [
          `the database has not answered within ${answerMs / 1_000} s or takes no writing: see that PostgreSQL runs, and that DATABASE_URL names the primary; the worker goes on by itself`,
        ]),
    ...(found.queues
      ? []
      : [
          "the queue's store does not answer or takes no writes, or a worker of a queue has ended: see that Redis runs and that credsync check finds no fault of it, or that PostgreSQL does without it",
        ]),
    ...problems,
  ]
}
