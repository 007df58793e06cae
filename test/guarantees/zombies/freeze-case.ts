// Runs one case: a worker freezes at a point of its work, another worker takes over, and the first then continues as if
// nothing had happened.

import { expect } from 'vitest'
import { systemClock } from '#src/platform/time/clock.ts'
import { superviseWorker } from '#test/guarantees/stores/supervised-worker.ts'
import { checkRun, untilAllIssued } from '#test/guarantees/stores/until-all-issued.ts'
import { onServer } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'
import type { Freeze } from './child-messages.ts'
import { startWorkerChild, type WorkerChild } from './worker-child.ts'

export interface FreezeCase extends Omit<Freeze, 'until'> {
  /**
   * Null for queues in PostgreSQL: only one worker may run, and its connections are cut so that the other can start.
   */
  redisUrl: string | null
  /** Which connections are cut if the queues are in PostgreSQL. */
  cut: 'all' | 'busy'
  /** Whether the other worker has finished everything when the frozen one continues, or is processing another list. */
  wakes: 'at rest' | 'in mid-run'
}

const people = 30
const size = 5
const more = 60
/** Longer than the five seconds for which a claim is valid. */
const freezeMs = 5_500
/** Lease of the process that freezes; when it has expired, the other worker declares its attempt lost. */
const leaseMs = 2_500

/** @throws if somebody is issued twice or left out, or if the resumed process changed what it no longer owned */
export async function freezeAndContinue(of: FreezeCase): Promise<number> {
  await using world = await openWorld({
    pipeline: { batch: { size } },
    invitations: { concurrency: of.redisUrl ? 1 : 2, deadline: '2s' },
    ...(of.redisUrl && { redisUrl: of.redisUrl }),
  })
  const { point, hit, way, redisUrl } = of
  await world.receive('list.csv', peopleCsv(people))
  // With Redis, the worker that freezes only sends: if it froze in a sweep or a scan, it would keep the ledger's lock.
  const only = redisUrl ? { only: ['issue'] as const, leaseMs } : {}
  await using zombie = startWorkerChild(world, { freeze: { point, hit, way }, ...only })
  await using otherWorker = redisUrl
    ? superviseWorker(world.settings, { only: ['intake', 'sweep', 'reconcile', 'write-back'] })
    : null
  await zombie.waitFor('frozen')
  const frozenAtMs = systemClock.monotonicMs()
  if (!redisUrl) await cutConnections(world, of.cut)
  await using other = superviseWorker(world.settings, redisUrl ? { only: ['issue'] } : {})
  const overdue = () => systemClock.monotonicMs() - frozenAtMs > freezeMs || 'too early'

  let all = people
  if (of.wakes === 'at rest') {
    all = await untilAllIssued(world, people)
    await until('the freeze to outlast every deadline', overdue)
    await resumeAfterCompletion(world, zombie, redisUrl !== null)
  } else {
    await until('the freeze to outlast every deadline', overdue)
    await startAnotherList(world)
    zombie.wake()
    all = await untilAllIssued(world, people + more)
    await expectResumedToStop(zombie, redisUrl !== null)
  }
  await other.stop()
  await otherWorker?.stop()
  await checkRun(world, all)
  expect(await attemptsDeclaredLost(world, other.instances)).toBe(0)
  return all
}

/** All work is done, so the resumed process must change nothing. */
async function resumeAfterCompletion(world: World, zombie: WorkerChild, several: boolean): Promise<void> {
  const before = await ledgerState(world)
  const calls = sentCalls(world)
  zombie.wake()
  await expectResumedToStop(zombie, several)
  expect(await ledgerState(world)).toEqual(before)
  expect(sentCalls(world)).toBe(calls)
}

/**
 * The only worker exits when it has lost its lock; one of several workers gets SIGTERM and finishes its current work.
 */
async function expectResumedToStop(zombie: WorkerChild, several: boolean): Promise<void> {
  await zombie.waitFor('awake')
  if (several) zombie.kill('SIGTERM')
  await zombie.waitFor('ending')
  expect(await zombie.ended).toBe(0)
  expect(zombie.lines).toContainEqual({ kind: 'ending', why: several ? 'signal' : 'lost' })
}

async function startAnotherList(world: World): Promise<void> {
  const accepted = () => world.sandbox.journal().invitesAccepted
  const before = accepted()
  await world.receive('more.csv', peopleCsv(more, 20_000))
  await until('the other worker to send', () => accepted() > before || `${accepted()} batches`, { everyMs: 2 })
}

/**
 * Closes connections to the world's database so that the lock of the only worker is free: all of them, or only those
 * that hold an advisory lock or run a transaction, as when one connection times out. The frozen worker's other
 * connections then still work.
 */
export async function cutConnections(world: World, which: 'all' | 'busy'): Promise<void> {
  const busy = `AND (state <> 'idle' OR pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'))`
  await onServer(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 ${which === 'busy' ? busy : ''}`,
    undefined,
    [new URL(world.databaseUrl).pathname.slice(1)],
  )
}

function sentCalls({ wire }: World): number {
  return wire.seen.filter((path) => path.includes('/recipients/data/upload')).length
}

/** The ledger's rows and attempts. */
async function ledgerState({ app }: World): Promise<unknown> {
  const issuances = await app.database.query(
    'SELECT id, state, event, attempt_id, resends, looks, reason, (SELECT count(*) FROM history h WHERE h.issuance_id = i.id) AS steps FROM issuance i ORDER BY id',
  )
  const attempts = await app.database.query('SELECT id, phase, outcome, error_code, instance FROM attempt ORDER BY id')
  return { issuances: issuances.rows, attempts: attempts.rows }
}

/** Attempts of live workers that another worker declared lost. */
async function attemptsDeclaredLost({ app }: World, instances: readonly string[]): Promise<number> {
  const { rowCount } = await app.database.query(
    `SELECT FROM attempt WHERE error_code = 'WORKER_DIED' AND instance = ANY($1::uuid[])`,
    [instances],
  )
  return rowCount
}
