// The metrics of a real worker with a real database and queue match what happened.

import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { openMeteredWorld } from '#test/support/metered-world.ts'
import { type MetricsPage, parseMetrics, readCompleteMetrics, readMetrics } from '#test/support/read-metrics.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv } from '#test/support/world.ts'

const invitePath = 'quickIssuance'

/** Checks only every 150 ms, because every check costs the worker time. */
const waitUntil = (what: string, condition: () => Promise<boolean>) => until(what, condition, { everyMs: 150 })

/**
 * Counts the calls that were sent: on a busy machine a connection may time out before the call, which is then repeated.
 */
const sentCalls = (page: MetricsPage, name: string, label: string) =>
  (page.value(name) ?? 0) - (page.value(name, { [label]: 'not_sent' }) ?? 0)

test('what is logged about rows is counted, whatever the level of the log', async () => {
  const { registry, countEvents } = openMetrics({ version: '1', environment: 'development', storage: 'x' }, ['spring'])
  const log = countEvents(silentLog)
  log.event('issuance.again', { outcome: 'unknown', count: 5 })
  log.event('issuance.again', { outcome: 'refused', count: 2 })
  log.event('issuance.held', { count: 3 })
  const page = parseMetrics(await registry.metrics())
  expect(page.value('credsync_rows_sent_again_total', { after: 'unknown' })).toBe(5)
  expect(page.value('credsync_rows_sent_again_total', { after: 'refused' })).toBe(2)
  expect(page.value('credsync_rows_held_total')).toBe(3)
})

describeWithDatabase('the metrics of a worker', () => {
  test.concurrent('agree with the service, the ledger and each other when a run is finished', async () => {
    const startedAt = performance.now()
    const secondsSinceStart = () => (performance.now() - startedAt) / 1_000
    await using world = await openMeteredWorld({ pipeline: { batch: { size: 2 } } })
    const { app, wire, web } = world
    await using _worker = await startWorker(app)
    const run = await world.receive('people.csv', peopleCsv(6))
    await waitUntil('the run to settle', async () => (await app.ledger.runs.find(run))?.settledAt != null)
    await waitUntil('its results', async () => (await app.ledger.writeBacks.wantedVersion(run)) === null)
    const page = await readCompleteMetrics(web.url)

    const invited = wire.seen.filter((path) => path.includes(invitePath)).length
    expect(invited).toBe(3)
    const gate = { gate: 'invite' }
    expect(page.value('credsync_calls_total', { endpoint: 'invite', result: 'ok' })).toBe(invited)
    expect(sentCalls(page, 'credsync_calls_total', 'result')).toBe(wire.seen.length)
    const tried = page.value('credsync_calls_total', { endpoint: 'invite' })
    expect(page.value('credsync_call_duration_seconds_count', { endpoint: 'invite' })).toBe(tried)
    expect(page.value('credsync_gate_sent_total', gate)).toBe(tried)
    expect(page.value('credsync_gate_wait_seconds_count', gate)).toBe(tried)
    const tokens = page.value('credsync_calls_total', { endpoint: 'token' })
    expect(page.value('credsync_gate_sent_total', { gate: 'auth' })).toBe(tokens)
    expect(page.value('credsync_gate_limit_per_second', gate)).toBe(60)
    expect(page.value('credsync_gate_limit_per_second', { gate: 'auth' })).toBe(3)
    expect(page.value('credsync_gate_waiting')).toBe(0)
    expect(page.value('credsync_gate_running')).toBe(0)
    expect(page.value('credsync_batches_total', { pipeline: 'spring', outcome: 'accepted' })).toBe(invited)
    expect(page.value('credsync_batches_total', { outcome: 'unknown' })).toBe(0)
    expect(page.value('credsync_batch_rows_total', { outcome: 'accepted' })).toBe(6)
    expect(page.value('credsync_rows', { pipeline: 'spring', state: 'issued' })).toBe(6)
    expect(page.value('credsync_rows')).toBe(6)
    expect(page.value('credsync_rows_due')).toBe(0)
    expect(page.value('credsync_oldest_open_row_age_seconds', { pipeline: 'spring' })).toBe(0)
    expect(page.value('credsync_runs', { state: 'settled' })).toBe(1)
    expect(page.value('credsync_runs')).toBe(1)
    expect(page.value('credsync_events_total', { event: 'run.published', level: 'info' })).toBe(1)
    expect(page.value('credsync_events_total', { event: 'fault' })).toBe(0)
    expect(page.value('credsync_write_backs_waiting')).toBe(0)
    expect(page.value('credsync_due_jobs')).toBe(0)
    expect(page.value('credsync_queue_jobs', { queue: 'issue', state: 'failed' })).toBe(0)
    expect(page.value('credsync_report_unseen_age_seconds')).toBe(0)
    expect(page.value('credsync_report_lag_seconds')).toBeGreaterThan(0)
    expect(page.value('credsync_report_read_age_seconds')).toBeLessThanOrEqual(secondsSinceStart())
    expect(page.value('credsync_workers')).toBe(1)
    expect(page.value('credsync_database_up')).toBe(1)
    expect(page.value('credsync_queue_up')).toBe(1)
    expect(page.value('credsync_worker_info', { version: '1.2.3', environment: 'development' })).toBe(1)
    expect(page.value('credsync_loop_age_seconds', { loop: 'sweep' })).toBeLessThanOrEqual(secondsSinceStart())
    expect(page.value('process_cpu_seconds_total')).toBeGreaterThan(0)
    for (const secret of ['person.1', 'Lovelace', 'people.csv', run, app.settings.key.reveal()])
      expect(page.text).not.toContain(secret)
  })

  test.concurrent('distinguish a lost answer, a refusal and a 429, and the outcomes of their rows', async () => {
    await using world = await openMeteredWorld({
      pipeline: { batch: { size: 1 } },
      reconcile: { grace: '1h' },
    })
    const { app, wire, web } = world
    wire.spoil(invitePath, 'lose-answer')
    await using _worker = await startWorker(app)
    await world.receive('one.csv', peopleCsv(1))
    const page = () => readMetrics(web.url)
    await waitUntil(
      'the lost answer',
      async () => (await page()).value('credsync_batches_total', { outcome: 'unknown' }) === 1,
    )
    expect((await page()).value('credsync_calls_total', { endpoint: 'invite', result: 'no_answer' })).toBe(1)
    await waitUntil('the row in the report', async () => (await app.ledger.runs.list())[0]?.settledAt != null)

    wire.spoil(invitePath, { status: 429, body: '{"message":"Too many"}' })
    await world.receive('two.csv', peopleCsv(1, 2))
    await waitUntil(
      'the 429',
      async () => (await page()).value('credsync_calls_total', { endpoint: 'invite', result: 'throttled' }) === 1,
    )
    await waitUntil(
      'the end of the pause',
      async () => (await page()).value('credsync_batches_total', { outcome: 'accepted' }) === 1,
    )

    wire.spoil(invitePath, { status: 400, body: '{"status":400,"message":"bad"}' })
    await world.receive('three.csv', peopleCsv(1, 3))
    await waitUntil(
      'the refusal',
      async () => (await page()).value('credsync_batches_total', { outcome: 'refused' }) === 1,
    )
    const last = await page()
    expect(last.value('credsync_batches_total', { outcome: 'throttled' })).toBe(1)
    expect(last.value('credsync_calls_total', { endpoint: 'invite', result: 'refused' })).toBe(1)
    expect(sentCalls(last, 'credsync_batches_total', 'outcome')).toBe(4)
    expect(last.value('credsync_gate_paused')).toBe(0)
    app.gates.gate('invite').pause(60_000)
    const pausedPage = await page()
    expect(pausedPage.value('credsync_gate_paused', { gate: 'invite' })).toBe(1)
    expect(pausedPage.value('credsync_gate_paused')).toBe(1)
  })
})

describeWithRedis('the metrics of a worker on Redis', ({ url }) => {
  test('show what waits in the queues and in the ledger', async () => {
    await using world = await openMeteredWorld({ redisUrl: url })
    const { app, web } = world
    // No worker is running, so requested jobs stay in their queues.
    const run = await world.receive('people.csv', peopleCsv(3))
    await app.queues.enqueue('intake', { runId: run })
    await app.queues.enqueue('sweep', {}, { delayMs: 60_000 })
    const page = await readCompleteMetrics(web.url)
    expect(page.value('credsync_queue_jobs', { queue: 'intake', state: 'waiting' })).toBe(1)
    expect(page.value('credsync_queue_jobs', { queue: 'sweep', state: 'delayed' })).toBe(1)
    expect(page.value('credsync_queue_jobs')).toBe(2)
    expect(page.value('credsync_due_jobs', { queue: 'intake' })).toBe(1)
    expect(page.value('credsync_due_jobs')).toBe(1)
    expect(page.value('credsync_runs', { pipeline: 'spring', state: 'received' })).toBe(1)
    expect(page.value('credsync_workers')).toBe(0)
  })
})
