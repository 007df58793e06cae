// What a run is waiting for is reported: the worker writes it to the ledger, and src/issuing/descriptions/waiting-reasons.ts has the
// sentences.

import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { waitingLine, waitingReasons } from '#src/issuing/descriptions/waiting-reasons.ts'
import { issue, openWorkspace, people } from '#test/src/cli/cli-workspace.ts'
import { readDocument } from '#test/src/cli/run-document.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { reportMissingServer } from '#test/support/describe-with-redis.ts'
import { openInterferingProxy } from '#test/support/interfering-proxy.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

const config = ['--config', 'credsync.yaml']
const report = 'certificate/student/report'
const upload = 'quickIssuance/recipients/data/upload'
/** These tests start programs and stop stores, which takes time on a busy machine. */
const timeoutMs = 240_000
const fieldList = 'recipients/fieldList'
const failing = { status: 500, body: 'out of order' }

/** Returns what the run waits for, as `status --run` shows it. */
async function waitsOf({ app }: World, runId: string): Promise<string[]> {
  const now = await app.ledger.runs.withStates(runId)
  if (!now) throw new Error('There is no such run.')
  return waitingReasons(await app.ledger.waiting.facts(now)).map((waitingReason) =>
    waitingLine(waitingReason, app.clock.now()),
  )
}

/** Waits until `status --run` shows a reason that matches `words`. */
async function untilWaiting(world: World, runId: string, words: RegExp): Promise<void> {
  await until(`the words ${words}`, async () => {
    const lines = await waitsOf(world, runId)
    return lines.some((line) => words.test(line)) || lines.join('\n')
  })
}

async function untilIssued(world: World, runId: string, people: number): Promise<void> {
  await until('all credentials', async () => {
    const now = await world.app.ledger.runs.withStates(runId)
    return now?.states.issued === people || JSON.stringify(now?.states)
  })
}

describeWithDatabase('a run that waits', () => {
  test.each([
    [
      'refuses its pages',
      { status: 400, body: '{"status":400,"message":"recordsPerPage is too large","payload":{}}' },
      'recordsPerPage is too large',
    ],
    ['answers 500', failing, 'HTTP 500'],
  ])(
    'shows in its progress line and in status that the report %s, and continues when the report can be read',
    async (_, faults, words) => {
      const workspace = await openWorkspace()
      const wire = await openInterferingProxy(workspace.sandbox.url)
      try {
        wire.spoil(report, faults, Number.POSITIVE_INFINITY)
        const throughProxy = { CREDSYNC_BASE_URL: wire.url }
        const running = workspace.start(
          issue(await workspace.write('list.csv', people(3)), '--wait', '--json'),
          throughProxy,
        )
        await running.waitForOutput(
          new RegExp(`waits: The report must be checked .*${words}.* \\(since .*\\); it is retried`),
        )

        const { runs } = JSON.parse((await workspace.run(['status', '--json'])).stdout)
        const detail = await workspace.run(['status', '--run', runs[0].run])
        expect(detail.stdout).toMatch(new RegExp(`\\n  waits +The report must be checked .*${words}`))
        const { waiting } = JSON.parse((await workspace.run(['status', '--run', runs[0].run, '--json'])).stdout)
        expect(waiting).toContainEqual({
          what: expect.stringContaining(words),
          since: expect.stringMatching(/^\d{4}-/),
          until: null,
          next: 'it is retried automatically',
        })

        wire.behave()
        const ended = await running.ended
        expect(readDocument(ended.stdout)).toMatchObject({ states: { issued: 3 } })
        const after = JSON.parse((await workspace.run(['status', '--run', runs[0].run, '--json'])).stdout)
        expect(after.waiting).toEqual([])
      } finally {
        await wire.close()
      }
    },
    timeoutMs,
  )

  test('shows in its last lines and in the list of runs what it still waits for', async () => {
    const workspace = await openWorkspace()
    const wire = await openInterferingProxy(workspace.sandbox.url)
    try {
      wire.spoil(report, failing, Number.POSITIVE_INFINITY)
      const throughProxy = { CREDSYNC_BASE_URL: wire.url }
      const running = workspace.start(issue(await workspace.write('list.csv', people(3)), '--wait'), throughProxy)
      await running.waitForOutput(/waits: The report must be checked /)
      running.signal('SIGINT')
      const { code, stderr } = await running.ended
      expect(code).toBe(130)
      expect(stderr).toMatch(
        /\n {2}waits {2}no worker is running.*\n {2}waits {2}The report must be checked .*HTTP 500/,
      )
      const { stdout } = await workspace.run(['status'])
      expect(stdout).toMatch(/list\.csv {2}waits: The report must be checked/)
    } finally {
      await wire.close()
    }
  }, 240_000)

  test('shows that nothing is sent before the report has been read, and continues once the report can be read', async () => {
    await using world = await openWorld({ tuning: { baselineAgeMs: 0 } })
    await using _worker = await startWorker(world.app)
    await untilIssued(world, await world.receive('first.csv', peopleCsv(1)), 1)
    world.wire.spoil(report, failing, Number.POSITIVE_INFINITY)
    const runId = await world.receive('second.csv', peopleCsv(3, 2))
    await untilWaiting(world, runId, /^nothing can be sent: .*HTTP 500.* \(since .*\); it is retried automatically/)
    world.wire.behave()
    await untilIssued(world, runId, 3)
  })

  test('shows that its course is paused after failures, until when, and what comes next', async () => {
    await using world = await openWorld({
      pipeline: { batch: { size: 1 } },
      invitations: { canary: true, pause: '1h' },
      tuning: { breaker: { firstMs: 3_600_000, maxMs: 3_600_000 } },
    })
    world.wire.spoil(upload, 'lose-request', Number.POSITIVE_INFINITY)
    const runId = await world.receive('list.csv', peopleCsv(20))
    await using _worker = await startWorker(world.app)
    await untilWaiting(
      world,
      runId,
      /^the course is paused: two calls.*\(since .* until .*\); one recipient is sent alone first/,
    )
    await untilWaiting(world, runId, /^the outcome of 2 rows is unknown \(since .*\); the report is read/)
  })

  test('shows that the service refuses the keys, and continues with valid ones', async () => {
    await using world = await openWorld()
    world.wire.spoil(
      'token',
      { status: 401, body: '{"status":401,"message":"no","payload":{}}' },
      Number.POSITIVE_INFINITY,
    )
    const runId = await world.receive('list.csv', peopleCsv(3))
    await using _worker = await startWorker(world.app)
    await untilWaiting(
      world,
      runId,
      /^the file cannot be accepted: The service refused the access key and secret \(HTTP 401/,
    )
    world.wire.behave()
    await untilIssued(world, runId, 3)
    expect(await waitsOf(world, runId)).toEqual([])
  })

  test(
    'logs a repeated fault immediately the first time, and then at most once a minute',
    async () => {
      const workspace = await openWorkspace()
      const wire = await openInterferingProxy(workspace.sandbox.url)
      try {
        // The keys are valid at first; otherwise no file would be read.
        const refusal = { status: 401, body: '{"status":401,"message":"no","payload":{}}' }
        wire.spoil(fieldList, refusal, Number.POSITIVE_INFINITY)
        const throughProxy = { CREDSYNC_BASE_URL: wire.url }
        const running = workspace.start(issue(await workspace.write('list.csv', people(3)), '--wait'), throughProxy)
        await until('some attempts', () => wire.seen.filter((path) => path.includes(fieldList)).length >= 6)
        wire.behave()
        const { stderr } = await running.ended
        const faults = stderr
          .split('\n')
          .flatMap((line) => (line.includes('"where":"job intake"') ? JSON.parse(line) : []))
        expect(faults[0]).toMatchObject({ event: 'fault' })
        expect(faults[0]).not.toHaveProperty('count')
        for (const [n, { time, count }] of faults.slice(1).entries()) {
          expect(Date.parse(time) - Date.parse(faults[n].time)).toBeGreaterThan(59_000)
          expect(count).toBeGreaterThan(0)
        }
      } finally {
        await wire.close()
      }
    },
    timeoutMs,
  )

  test('shows that the report cannot be read while it waits for its requested rows', async () => {
    await using world = await openWorld({ sandbox: { reportLagMs: 3_600_000 } })
    const runId = await world.receive('list.csv', peopleCsv(3))
    await using _worker = await startWorker(world.app)
    await until('all to be sent', async () => (await world.app.ledger.runs.withStates(runId))?.states.requested === 3)
    expect((await waitsOf(world, runId)).filter((line) => !line.includes('report'))).toEqual([])
    world.wire.spoil(report, failing, Number.POSITIVE_INFINITY)
    await untilWaiting(world, runId, /^the report cannot be read: .*HTTP 500/)
  })

  test('shows how long an endpoint is blocked after a 429', async () => {
    await using world = await openWorld()
    await using _worker = await startWorker(world.app)
    world.app.gates.gate('invite').pause(600_000)
    const runId = await world.receive('list.csv', peopleCsv(3))
    await untilWaiting(
      world,
      runId,
      /^the service throttles calls \(status 429\): at invite \(since .*, until .*\); calls continue automatically/,
    )
  })

  test('shows that no worker is running, and that an operator must decide', async () => {
    const workspace = await openWorkspace({ pipeline: { brake: { rows: 2 } } })
    const ended = await workspace.run(issue(await workspace.write('list.csv', people(3)), '--wait', '--json'))
    const { run } = readDocument(ended.stdout)
    const waitingOf = async () => JSON.parse((await workspace.run(['status', '--run', run, '--json'])).stdout).waiting
    expect(await waitingOf()).toEqual([
      {
        what: expect.stringContaining('3 rows would be issued'),
        since: expect.stringMatching(/^\d{4}-/),
        until: null,
        next: 'an operator runs `credsync approve` or `credsync reject`',
      },
    ])
    await workspace.run(['approve', run, '--by', 'Ada', '--reason', 'right', ...config])
    expect(await waitingOf()).toMatchObject([
      { what: 'no worker is running, so nothing is processed', since: null, until: null },
    ])
  })
})

const redis = await startRedis()
if (!redis) reportMissingServer('a run whose worker lost Redis', 'redis-server', 'PATH')
else
  describeWithDatabase('a run whose worker lost Redis', () => {
    test('shows that no work can be queued, and continues when Redis is available again', async () => {
      await using world = await openWorld({ redisUrl: redis.url, sandbox: { reportLagMs: 3_600_000 } })
      await using _worker = await startWorker(world.app)
      const runId = await world.receive('list.csv', peopleCsv(3))
      await until('all to be sent', async () => (await world.app.ledger.runs.withStates(runId))?.states.requested === 3)
      await redis.stop()
      await untilWaiting(world, runId, /^no work can be queued: The queue did not answer/)
      await redis.startAgain()
      await until('the run to continue', async () =>
        (await waitsOf(world, runId)).every((line) => !line.includes('be queued')),
      )
    })
  })
