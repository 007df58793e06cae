// The health of this process. Liveness: its own loops are running. This makes no requests, so that a database outage
// does not cause restarts. Readiness: the process could work now. This queries the database and the queue's store, and
// is cached for two seconds, so that probes cost little.

import type { App } from '#src/app/app.ts'
import { sendingStoppedMessage } from '#src/ledger/attempts/sending-stopped-message.ts'
import { cacheAnswer } from '#src/platform/time/cache-answer.ts'
import { within } from '#src/platform/time/deadline.ts'
import type { LoopStatus } from '#src/platform/time/loop-progress.ts'

/** How long a query may take while a probe waits for it. */
export const healthAnswerMs = 2_000

/** A query that takes longer than this never gets a result, because its connection is dead. */
const abandonMs = 30_000

export const healthCacheMs = 2_000

export interface Liveness {
  live: boolean
  /** Sentences for an operator; omitted if there are none. */
  problems?: string[]
}

/** @param stalled loops whose iteration is overdue */
export function checkLive(stalled: readonly LoopStatus[]): Liveness {
  if (stalled.length === 0) return { live: true }
  return { live: false, problems: stalled.map(describeStalled) }
}

function describeStalled({ name, idleMs, limitMs }: LoopStatus): string {
  const problem = stalledLoops[name] ?? `the worker of the queue ${name.replace('queue ', '')} takes no jobs`
  return `${problem}, for ${minutes(idleMs)} (${minutes(limitMs)} are allowed), although nothing outside this process prevents it: restart the process`
}

const stalledLoops: Record<string, string> = {
  sweep: 'the sweep has not completed a pass',
  timers: "this process's timers do not fire",
}

const minutes = (ms: number) => `${Math.floor(ms / 60_000)} min`

export interface Readiness {
  ready: boolean
  database: boolean
  queues: boolean
  stopping: boolean
  /** Sentences for an operator; empty if ready. */
  problems: string[]
  /** Sentences about problems that do not prevent other work; omitted if there are none. */
  notices?: string[]
}

export type Health = ReturnType<typeof openHealth>

/** Finds sentences about problems that do not prevent other work. @param answers whether the database responds */
export type FindNotices = (answers: boolean) => Promise<string[]>

/** @param others find the notices of extensions */
export function openHealth(
  { database, ledger, queues, progress, clock }: HealthParts,
  others: readonly FindNotices[] = [],
) {
  let stopping: string | null = null
  const ask = (question: () => Promise<unknown>) => {
    const cachedAnswer = cacheAnswer(clock, () => within(clock, abandonMs, question()), { validMs: healthCacheMs })
    return () =>
      within(clock, healthAnswerMs, cachedAnswer()).then(
        (answer) => answer !== false,
        () => false,
      )
  }
  const databaseWorks = ask(() => acceptsWrites(database))
  const queuesWork = ask(() => queues.healthy())

  const stops = cacheAnswer(clock, () => within(clock, healthAnswerMs, ledger.sendingStops.stops()), {
    validMs: healthCacheMs,
  })
  // A failure is ignored here, because `ready` already reports that the database does not respond.
  const stopNotices = async () => (await stops().catch(() => [])).map(sendingStoppedMessage)

  /** Returns whether the database and the queue's store respond and accept writes. */
  async function stores() {
    const [first, second] = await Promise.all([databaseWorks(), queuesWork()])
    return { database: first, queues: second }
  }
  return {
    live: () => checkLive(progress.stalled()),
    stores,
    async ready(): Promise<Readiness> {
      const found = await stores()
      const problems = problemsOf({ ...found, stopping }, checkLive(progress.stalled()))
      const notices = found.database ? await stopNotices() : []
      for (const find of others) notices.push(...(await find(found.database)))
      return {
        ready: problems.length === 0,
        ...found,
        stopping: stopping !== null,
        problems,
        ...(notices.length > 0 && { notices }),
      }
    },
    /**
     * Makes the process not ready from now on, because it is about to stop.
     * @param why a sentence, if the process stops for a reason other than a request to stop
     */
    unready(why: string | null) {
      stopping = why ?? 'this worker is stopping: it takes no new work'
    },
  }
}

/**
 * Asks the database whether it accepts writes: a standby, or a read-only database, answers queries but no worker can
 * use it.
 */
async function acceptsWrites(database: App['database']): Promise<boolean> {
  const { rows } = await database.query<{ writes: boolean }>(
    `SELECT NOT current_setting('transaction_read_only')::bool AS writes`,
  )
  return rows[0]?.writes ?? false
}

type HealthParts = Pick<App, 'database' | 'queues' | 'progress' | 'clock'> & {
  ledger: { sendingStops: Pick<App['ledger']['sendingStops'], 'stops'> }
}

function problemsOf(
  found: Pick<Readiness, 'database' | 'queues'> & { stopping: string | null },
  { problems = [] }: Liveness,
): string[] {
  return [
    ...(found.stopping === null ? [] : [found.stopping]),
    ...(found.database
      ? []
      : [
          `the database has not answered within ${healthAnswerMs / 1_000} s or accepts no writes: check that PostgreSQL is running, and that DATABASE_URL names the primary; the worker then continues automatically`,
        ]),
    ...(found.queues
      ? []
      : [
          "the queue's store does not answer or accepts no writes, or a worker of a queue has ended: check that Redis is running and that credsync check finds no fault in it; without Redis, check that PostgreSQL is running",
        ]),
    ...problems,
  ]
}
