// Several real workers share one PostgreSQL, one Redis and one limit. During the run one is killed, Redis is emptied
// and restarted, and PostgreSQL is restarted. Everyone must get exactly one credential, the service may refuse hardly any
// calls, and the end of each list must be reported once by a webhook that often fails.

import { expect, onTestFinished, test } from 'vitest'
import { checkRun, untilAllIssued } from '#test/guarantees/stores/until-all-issued.ts'
import { useOwnPostgres } from '#test/guarantees/stores/use-own-postgres.ts'
import { openNoticeReceiver } from '#test/guarantees/torture/notice-receiver.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { noticeRound } from '#test/support/notice-round.ts'
import { type RedisServer, startRedis } from '#test/support/redis-server.ts'
import { sized, tally } from '#test/support/suite-size.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World, type WorldOptions } from '#test/support/world.ts'
import { openWorkerProcesses, type WorkerProcess } from './worker-processes.ts'

const people = sized(1_000, 5_000)
/** Workers at the start; two more follow. The cost of a worker is mostly its start. */
const workers = 4
const size = 5
/** Half of the service's own limit, so that a run on two cores is limited by it and not by the machine. */
const limits = { general: 30, auth: 3 }

async function ownRedis(): Promise<RedisServer> {
  const redis = await startRedis()
  if (!redis) throw new Error('There is no redis-server on the PATH, which several workers need.')
  onTestFinished(() => redis.stop())
  return redis
}

const optionsFor = (redisUrl: string, notices: object = {}): WorldOptions & { file: Record<string, unknown> } => ({
  sandbox: { limits },
  pipeline: { batch: { size } },
  reconcile: { every: '1s', slowest: '5s' },
  redisUrl,
  file: { service: { environment: 'development', limits: { ...limits, margin: '50ms' } }, ...notices },
})

const acceptedCalls = ({ sandbox }: World) => sandbox.journal().invitesAccepted

function accepted(world: World, share: number): Promise<void> {
  const count = Math.ceil((share * people) / size)
  return until(`${count} batches`, () => acceptedCalls(world) >= count || `${acceptedCalls(world)} batches`)
}

/**
 * Counts deadlocks and conflicts. An immediate stop erases PostgreSQL's statistics, so they are also read before it.
 */
async function countConflicts({ app }: World): Promise<number> {
  const { rows } = await app.database.query<{ conflicts: number }>(
    'SELECT deadlocks + conflicts AS conflicts FROM pg_stat_database WHERE datname = current_database()',
  )
  return Number(rows[0]?.conflicts)
}

/** Lists that are not settled, or whose results are not written. */
async function unfinishedLists({ app }: World): Promise<number> {
  const { rows } = await app.database.query<{ lists: number }>(
    'SELECT count(*) AS lists FROM run LEFT JOIN write_back w ON w.run_id = run.id WHERE settled_at IS NULL OR w.written < w.wanted',
  )
  return rows[0]?.lists ?? 0
}

/** The times at which calls of a killed worker were declared lost. */
async function lostCallTimes({ app }: World, worker: WorkerProcess): Promise<number[]> {
  const { rows } = await app.database.query<{ at: Date }>(
    `SELECT ended_at AS at FROM attempt WHERE instance = $1 AND error_code = 'WORKER_DIED'`,
    [worker.instance()],
  )
  return rows.map((row) => row.at.getTime())
}

/** The longest interval in milliseconds without an accepted invitation that overlaps this period. */
function gapWithin({ sandbox }: World, from: number, until: number): number {
  const times = sandbox.entries().flatMap((entry) => (entry.kind === 'committed' ? [entry.at] : []))
  const gaps = times.slice(1).map((at, index) => ({ at, ms: at - (times[index] ?? at) }))
  return Math.max(0, ...gaps.filter(({ at, ms }) => at > from && at - ms < until).map(({ ms }) => ms))
}

async function attemptsOf({ app }: World, worker: WorkerProcess): Promise<number> {
  const { rows } = await app.database.query<{ count: number }>('SELECT count(*) FROM attempt WHERE instance = $1', [
    worker.instance(),
  ])
  return rows[0]?.count ?? 0
}

const sumOf = (workers: readonly WorkerProcess[], event: string, of?: string | null) =>
  workers.reduce((sum, worker) => sum + worker.logged(event, of), 0)

describeWithDatabase('several workers', () => {
  const ownPostgres = useOwnPostgres()

  test('give everyone exactly one credential, although one is killed, Redis comes back empty and PostgreSQL is stopped abruptly', async () => {
    const redis = await ownRedis()
    await using receiver = await openNoticeReceiver(1)
    const options = optionsFor(redis.url, receiver.settings)
    await using world = await openWorld(options)
    await using processes = await openWorkerProcesses(world, options)
    // Lists from before somebody was to be notified have no summary.
    await noticeRound(world.app)
    await world.receive('list.csv', peopleCsv(people))
    const [killed, stopped, ...steady] = await Promise.all(Array.from({ length: workers }, () => processes.start()))
    if (!killed || !stopped) throw new Error('There are no workers.')
    const began = Date.now()

    await accepted(world, 0.15)
    const { tokens, refreshes } = world.sandbox.journal()
    const killedAt = Date.now()
    expect((await killed.kill('SIGKILL')).signal).toBe('SIGKILL')
    const added = await processes.start()

    await accepted(world, 0.4)
    const emptiedAt = Date.now()
    await redis.stop()
    await redis.startAgain()

    await accepted(world, 0.6)
    const conflictsBefore = await countConflicts(world)
    const stoppedAt = Date.now()
    await ownPostgres().stopImmediately()
    await ownPostgres().startAgain()

    await accepted(world, 0.8)
    const workerStoppedAt = Date.now()
    expect((await stopped.kill('SIGTERM')).code).toBe(0)
    const late = await processes.start()

    const all = await untilAllIssued(world, people)
    await checkRun(world, all)
    await until('the results', async () => (await unfinishedLists(world)) === 0)
    await receiver.audit(world)

    const { calls, throttled } = world.sandbox.journal()
    const called = Object.values(calls).reduce((sum, count) => sum + count, 0)
    const dead = await lostCallTimes(world, killed)
    const counts = {
      'people issued once each': all,
      calls: called,
      'of them refused': throttled,
      'calls of the killed worker': dead.length,
      'ms until the last of them was noticed': Math.max(...dead, killedAt) - killedAt,
      'ms without an invitation after the kill': gapWithin(world, killedAt, emptiedAt),
      'after Redis was emptied': gapWithin(world, emptiedAt, stoppedAt),
      'after PostgreSQL was stopped': gapWithin(world, stoppedAt, workerStoppedAt),
      'after one was asked to stop': gapWithin(world, workerStoppedAt, workerStoppedAt + 5_000),
      'deadlocks and conflicts': conflictsBefore + (await countConflicts(world)),
      seconds: Math.round((Date.now() - began) / 1_000),
    }
    tally('workers', counts)
    expect({ tokens, refreshes }).toEqual({ tokens: 1, refreshes: 0 })
    // Without the shared limit, most calls of the first second would be refused. A few may be: a busy machine delays
    // calls between their slot and the sandbox, so they arrive in bunches (shared-limit.test.ts shows that the slots
    // are right).
    expect(throttled).toBeLessThanOrEqual(Math.ceil(called / 50))
    expect(counts['deadlocks and conflicts']).toBe(0)
    // Once when Redis was new to all of them, and once after it was emptied.
    const everyone = [killed, stopped, ...steady, added, late]
    expect(sumOf(everyone, 'queue.new')).toBe(2)
    // A busy machine may keep another one silent while PostgreSQL, and with it the locks, is gone.
    expect(sumOf(everyone, 'worker.dead', killed.instance())).toBe(1)
    const left = [...steady, added]
    for (const worker of left) expect(await attemptsOf(world, worker)).toBeGreaterThan(0)
    for (const worker of [...left, late]) expect((await worker.kill('SIGTERM')).code).toBe(0)
  })

  test('with separate tasks each do only their own, and together do all of them', async () => {
    const redis = await ownRedis()
    const options = optionsFor(redis.url)
    await using world = await openWorld(options)
    await using processes = await openWorkerProcesses(world, options)
    const parts = ['issue', 'intake,sweep', 'reconcile', 'write-back']
    const [issuing, reading, reconciling, writing] = await Promise.all(
      parts.map((part) => processes.start('--only', part)),
    )
    if (!issuing || !reading || !reconciling || !writing) throw new Error('There are no workers.')
    await world.receive('list.csv', peopleCsv(60))
    await checkRun(world, await untilAllIssued(world, 60))
    await until('the results', () => writing.logged('results.written') > 0 || 'none')
    const hasLogged = (event: string) =>
      [issuing, reading, reconciling, writing].map((worker) => worker.logged(event) > 0)
    expect(hasLogged('attempt.sent')).toEqual([true, false, false, false])
    expect(hasLogged('run.published')).toEqual([false, true, false, false])
    expect(hasLogged('results.written')).toEqual([false, false, false, true])
    // The senders read the report before they send, so two of them may do so.
    expect(hasLogged('report.scanned').slice(1)).toEqual([false, true, false])
  })
})
