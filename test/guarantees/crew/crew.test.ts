// Several real workers on one PostgreSQL, one Redis and one limit. In the middle of a run one is killed, Redis is emptied and started anew, and so
// is PostgreSQL; everybody is issued once, and the service refuses next to nothing.

import { expect, onTestFinished, test } from 'vitest'
import { comeToRest, judge } from '#test/guarantees/stores/come-to-rest.ts'
import { useOwnPostgres } from '#test/guarantees/stores/use-own-postgres.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { type RedisServer, startRedis } from '#test/support/redis-server.ts'
import { sized, tally } from '#test/support/size.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World, type WorldOptions } from '#test/support/world.ts'
import { type CrewWorker, recruiter } from './worker.ts'

const people = sized(1_000, 5_000)
const size = 5
/** Half of the service's own, so that a run on two cores is held up by its limit and not by its machine. */
const limits = { general: 30, auth: 3 }

async function ownRedis(): Promise<RedisServer> {
  const redis = await startRedis()
  if (!redis) throw new Error('There is no redis-server on the PATH, which several workers need.')
  onTestFinished(() => redis.stop())
  return redis
}

const optionsFor = (redisUrl: string): WorldOptions & { file: Record<string, unknown> } => ({
  sandbox: { limits },
  pipeline: { batch: { size } },
  reconcile: { every: '1s', slowest: '5s' },
  redisUrl,
  file: { service: { environment: 'development', limits: { ...limits, margin: '50ms' } } },
})

const called = ({ sandbox }: World) => sandbox.journal().invitesAccepted

function accepted(world: World, share: number): Promise<void> {
  const count = Math.ceil((share * people) / size)
  return until(`${count} batches`, () => called(world) >= count || `${called(world)} batches`, { ms: 240_000 })
}

/** Statistics of PostgreSQL are lost when it is stopped at once, so they are asked for before as well. */
async function fights({ app }: World): Promise<number> {
  const { rows } = await app.database.query<{ fights: number }>(
    'SELECT deadlocks + conflicts AS fights FROM pg_stat_database WHERE datname = current_database()',
  )
  return Number(rows[0]?.fights)
}

/** When each call that a worker left behind was found to be of unknown outcome. */
async function deathsOf({ app }: World, worker: CrewWorker): Promise<number[]> {
  const { rows } = await app.database.query<{ at: Date }>(
    `SELECT ended_at AS at FROM attempt WHERE instance = $1 AND error_code = 'WORKER_DIED'`,
    [worker.instance()],
  )
  return rows.map((row) => row.at.getTime())
}

/** Milliseconds of the longest time without an accepted invitation that reaches into these. */
function gapWithin({ sandbox }: World, from: number, until: number): number {
  const times = sandbox.entries().flatMap((entry) => (entry.kind === 'committed' ? [entry.at] : []))
  const gaps = times.slice(1).map((at, index) => ({ at, ms: at - (times[index] ?? at) }))
  return Math.max(0, ...gaps.filter(({ at, ms }) => at > from && at - ms < until).map(({ ms }) => ms))
}

async function attemptsOf({ app }: World, worker: CrewWorker): Promise<number> {
  const { rows } = await app.database.query<{ count: number }>('SELECT count(*) FROM attempt WHERE instance = $1', [
    worker.instance(),
  ])
  return rows[0]?.count ?? 0
}

const sumOf = (workers: readonly CrewWorker[], event: string) =>
  workers.reduce((sum, worker) => sum + worker.logged(event), 0)

describeWithDatabase('several workers', () => {
  const own = useOwnPostgres()

  test('issue everybody once, though one is killed, Redis comes back empty and PostgreSQL is stopped at once', async () => {
    const redis = await ownRedis()
    const options = optionsFor(redis.url)
    await using world = await openWorld(options)
    await using crew = await recruiter(world, options)
    await world.receive('list.csv', peopleCsv(people))
    const [doomed, leaving, ...steady] = await Promise.all(Array.from({ length: 4 }, () => crew.start()))
    if (!doomed || !leaving) throw new Error('There are no workers.')
    const began = Date.now()

    await accepted(world, 0.15)
    const { tokens, refreshes } = world.sandbox.journal()
    const killedAt = Date.now()
    expect((await doomed.kill('SIGKILL')).signal).toBe('SIGKILL')
    const added = await crew.start()

    await accepted(world, 0.4)
    const emptiedAt = Date.now()
    await redis.stop()
    await redis.startAgain()

    await accepted(world, 0.6)
    const fightsBefore = await fights(world)
    const stoppedAt = Date.now()
    await own().stopAtOnce()
    await own().startAgain()

    await accepted(world, 0.8)
    const leavingAt = Date.now()
    expect((await leaving.kill('SIGTERM')).code).toBe(0)
    const late = await crew.start()

    const all = await comeToRest(world, people)
    await judge(world, all)

    const { calls, throttled } = world.sandbox.journal()
    const called = Object.values(calls).reduce((sum, count) => sum + count, 0)
    const dead = await deathsOf(world, doomed)
    const counts = {
      'people issued once each': all,
      calls: called,
      'of them refused': throttled,
      'calls of the dead': dead.length,
      'ms until the last of them was noticed': Math.max(...dead, killedAt) - killedAt,
      'ms without an invitation after the kill': gapWithin(world, killedAt, emptiedAt),
      'after Redis was emptied': gapWithin(world, emptiedAt, stoppedAt),
      'after PostgreSQL was stopped': gapWithin(world, stoppedAt, leavingAt),
      'after one was told to stop': gapWithin(world, leavingAt, leavingAt + 5_000),
      'fights in the database': fightsBefore + (await fights(world)),
      seconds: Math.round((Date.now() - began) / 1_000),
    }
    tally('workers', counts)
    expect({ tokens, refreshes }).toEqual({ tokens: 1, refreshes: 0 })
    expect(throttled).toBeLessThanOrEqual(Math.ceil(called / 1_000))
    expect(counts['fights in the database']).toBe(0)
    expect(counts['ms until the last of them was noticed']).toBeLessThan(30_000)
    // Once for the Redis that was new to all of them, and once after it was emptied.
    const everybody = [doomed, leaving, ...steady, added, late]
    expect(sumOf(everybody, 'queue.new')).toBe(2)
    expect(sumOf(everybody, 'worker.dead')).toBe(1)
    const left = [...steady, added]
    for (const worker of left) expect(await attemptsOf(world, worker)).toBeGreaterThan(0)
    for (const worker of [...left, late]) expect((await worker.kill('SIGTERM')).code).toBe(0)
  }, 600_000)

  test('that do a part of the work each do that part alone, and together all of it', async () => {
    const redis = await ownRedis()
    const options = optionsFor(redis.url)
    await using world = await openWorld(options)
    await using crew = await recruiter(world, options)
    const parts = ['issue', 'intake,sweep', 'reconcile', 'write-back']
    const [issues, reads, looks, tells] = await Promise.all(parts.map((part) => crew.start('--only', part)))
    if (!issues || !reads || !looks || !tells) throw new Error('There are no workers.')
    await world.receive('list.csv', peopleCsv(60))
    await judge(world, await comeToRest(world, 60))
    await until('the results', () => tells.logged('results.written') > 0 || 'none')
    const did = (event: string) => [issues, reads, looks, tells].map((worker) => worker.logged(event) > 0)
    expect(did('attempt.sent')).toEqual([true, false, false, false])
    expect(did('run.published')).toEqual([false, true, false, false])
    expect(did('results.written')).toEqual([false, false, false, true])
    // Whoever sends looks into the report before, and so may two of them.
    expect(did('report.scanned').slice(1)).toEqual([false, true, false])
  }, 120_000)
})
