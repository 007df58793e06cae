// One case: a worker freezes at a point of its work, another one takes over, and the first goes on as if nothing had been.

import { expect } from 'vitest'
import { systemClock } from '#src/time/clock.ts'
import { comeToRest, judge } from '#test/guarantees/stores/come-to-rest.ts'
import type { OwnPostgres } from '#test/guarantees/stores/own-postgres.ts'
import { superviseWorker } from '#test/guarantees/stores/supervised-worker.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'
import type { Freeze } from './orders.ts'
import { startWorkerChild, type WorkerChild } from './worker-child.ts'

export interface FreezeCase extends Omit<Freeze, 'until'> {
  /** Null for queues in PostgreSQL: there may be one worker only, and its connections are cut for the other to begin. */
  redisUrl: string | null
  /** Which connections are cut, where queues are in PostgreSQL. */
  cut: 'all' | 'busy'
  /** Whether the other one has finished everything when the frozen one goes on, or is in the middle of a further list. */
  wakes: 'at rest' | 'in mid-run'
}

const people = 30
const size = 5
const more = 60
/** Longer than the five seconds for which a door stays fresh. */
const freezeMs = 5_500
/** Of the process that freezes: after it, the other worker takes its attempt for lost. */
const leaseMs = 2_500

/** @throws when somebody is issued twice or left out, or when the woken process changed what was no longer its own */
export async function freezeAndGoOn(of: FreezeCase, server: OwnPostgres): Promise<number> {
  await using world = await openWorld({
    pipeline: { batch: { size } },
    invitations: { concurrency: of.redisUrl ? 1 : 2, deadline: '2s' },
    ...(of.redisUrl && { redisUrl: of.redisUrl }),
  })
  const { point, hit, way, redisUrl } = of
  await world.receive('list.csv', peopleCsv(people))
  // With Redis the one that will freeze only sends: its sweep or scan, frozen in the middle, would keep the ledger's lock from the other.
  const only = redisUrl ? { only: ['issue'] as const, leaseMs } : {}
  await using zombie = startWorkerChild(world, { freeze: { point, hit, way }, ...only })
  await using around = redisUrl
    ? superviseWorker(world.settings, { only: ['intake', 'sweep', 'reconcile', 'write-back'] })
    : null
  await zombie.hear('frozen')
  const frozenAtMs = systemClock.monotonicMs()
  if (!redisUrl) await cutConnections(world, server, of.cut)
  await using other = superviseWorker(world.settings, redisUrl ? { only: ['issue'] } : {})
  const overdue = () => systemClock.monotonicMs() - frozenAtMs > freezeMs || 'too early'

  let all = people
  if (of.wakes === 'at rest') {
    all = await comeToRest(world, people)
    await until('the freeze to outlast every deadline', overdue)
    await wakeInVain(world, zombie, redisUrl !== null)
  } else {
    await until('the freeze to outlast every deadline', overdue)
    await beInMidRun(world)
    zombie.wake()
    all = await comeToRest(world, people + more)
    await seeOff(zombie, redisUrl !== null)
  }
  await other.stop()
  await around?.stop()
  await judge(world, all)
  expect(await takenForDead(world, other.instances)).toBe(0)
  return all
}

/** Everything is done: whatever the woken process does now is too much. */
async function wakeInVain(world: World, zombie: WorkerChild, several: boolean): Promise<void> {
  const before = await everything(world)
  const calls = sentCalls(world)
  zombie.wake()
  await seeOff(zombie, several)
  expect(await everything(world)).toEqual(before)
  expect(sentCalls(world)).toBe(calls)
}

/** One that lost the lock of the only worker ends by itself; one of several is asked to, and finishes what it has in hand. */
async function seeOff(zombie: WorkerChild, several: boolean): Promise<void> {
  await zombie.hear('awake')
  if (several) zombie.kill('SIGTERM')
  await zombie.hear('ending')
  expect(await zombie.ended).toBe(0)
  expect(zombie.lines).toContainEqual({ said: 'ending', why: several ? 'signal' : 'lost' })
}

async function beInMidRun(world: World): Promise<void> {
  const accepted = () => world.sandbox.journal().invitesAccepted
  const before = accepted()
  await world.receive('more.csv', peopleCsv(more, 20_000))
  await until('the other worker to send', () => accepted() > before || `${accepted()} batches`, { everyMs: 2 })
}

/**
 * Ends connections to the world's database so that the lock of the only worker is free: all of them, or only those that hold an
 * advisory lock or are in the middle of something, as when one connection times out. Then the frozen one's others still work.
 */
export async function cutConnections(world: World, server: OwnPostgres, which: 'all' | 'busy'): Promise<void> {
  const busy = `AND (state <> 'idle' OR pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'))`
  await server.command(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 ${which === 'busy' ? busy : ''}`,
    [new URL(world.databaseUrl).pathname.slice(1)],
  )
}

function sentCalls({ wire }: World): number {
  return wire.seen.filter((path) => path.includes('/recipients/data/upload')).length
}

/** What the ledger knows of rows and attempts. */
async function everything({ app }: World): Promise<unknown> {
  const issuances = await app.database.query(
    'SELECT id, state, event, attempt_id, resends, looks, reason, (SELECT count(*) FROM history h WHERE h.issuance_id = i.id) AS steps FROM issuance i ORDER BY id',
  )
  const attempts = await app.database.query('SELECT id, phase, outcome, error_code, instance FROM attempt ORDER BY id')
  return { issuances: issuances.rows, attempts: attempts.rows }
}

/** Attempts of living workers that somebody else declared lost. */
async function takenForDead({ app }: World, instances: readonly string[]): Promise<number> {
  const { rowCount } = await app.database.query(
    `SELECT FROM attempt WHERE error_code = 'WORKER_DIED' AND instance = ANY($1::uuid[])`,
    [instances],
  )
  return rowCount
}
