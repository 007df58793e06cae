// Many calls at the same time: as many as the limit needs, prepared ahead by one for all, and none of them harmful when
// all of them are lost.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue, takeBaseline } from '#jobs/issue.ts'
import { readReportOnce } from '#jobs/reconcile.ts'
import { prepareBatches } from '#jobs/worker/prepare-batches.ts'
import { startWorker } from '#jobs/worker.ts'
import { audit } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

const upload = 'quickIssuance/recipients/data/upload'

/** A limit so high that the places for calls grow with each answer. */
const fast = { perSecond: 10_000 }

async function outcomesOf({ app }: World): Promise<Record<string, number>> {
  const { rows } = await app.database.query<{ outcome: string; count: number }>(
    `SELECT outcome, count(*) AS count FROM attempt WHERE phase = 'ended' GROUP BY outcome`,
  )
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

async function untilIssued({ app }: World, runId: string, people: number): Promise<void> {
  await until('all credentials', async () => {
    const now = await app.ledger.runs.withStates(runId)
    return now?.states.issued === people || JSON.stringify(now?.states)
  })
}

describeWithDatabase('many calls at the same time', () => {
  test('are made when the limit needs them; if all of them are lost, the next one is made alone, and everyone gets exactly one credential', async () => {
    const people = 120
    await using world = await openWorld({ pipeline: { batch: { size: 1 } }, tuning: fast })
    const { senders } = world.app
    await using _worker = await startWorker(world.app)
    const runId = await world.receive('list.csv', peopleCsv(people))
    await until('more places', async () => senders.places.count() >= 12 || `${senders.places.count()} places`)
    using calls = world.wire.hold(upload)
    await until(
      'a call in each place',
      async () => calls.count() === senders.places.count() || `${calls.count()} calls`,
    )
    const lost = calls.count()
    // More than at the start. On a busy machine a call that waits long takes a place away again.
    expect(lost).toBeGreaterThan(4)
    calls.lose()
    await until('the outcome of each', async () => {
      const { unknown = 0 } = await outcomesOf(world)
      return unknown === lost || `${unknown} of ${lost}`
    })
    await until('the next call', async () => calls.count() >= 1)
    expect(senders.places.count()).toBe(1)
    expect(calls.count()).toBe(1)
    expect((await outcomesOf(world)).unknown).toBe(lost)
    calls.release()
    await untilIssued(world, runId, people)
    expect((await outcomesOf(world)).unknown).toBe(lost)
    await audit(world)
  })

  test('keep connections for the scan that they wait for', async () => {
    await using world = await openWorld({})
    const { ledger, database } = world.app
    const scanning = await ledger.locks.hold('scan')
    const senders = Array.from({ length: 32 }, () => takeBaseline(world.app, null))
    const waitingCount = async () => {
      const { rows } = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
      )
      return rows.length
    }
    try {
      await until('a sender that waits for the scan', async () => (await waitingCount()) > 0)
      // As many turns as there are senders, in which each of them could take a connection.
      for (const _ of senders) expect(await waitingCount()).toBe(1)
    } finally {
      await scanning?.release()
    }
    await Promise.all(senders)
    expect(world.wire.seen.filter((path) => path.includes('report')).length, 'scans').toBe(1)
  })
})

describeWithDatabase('the baseline', () => {
  test('is renewed by each scan for open rows while rows are still to be sent', async () => {
    await using world = await openWorld({ pipeline: { batch: { size: 2 } }, tuning: { lostAfterMs: 60_000 } })
    const { app } = world
    const { signal: never } = new AbortController()
    /** Days from the first one that the scan covers until today. */
    const readDays = async () => {
      await readReportOnce(app, 'young')
      const { rows } = await app.database.query<{ days: number }>(
        `SELECT (started_at AT TIME ZONE 'UTC')::date - since AS days FROM scan ORDER BY id DESC LIMIT 1`,
      )
      return rows[0]?.days
    }
    await intake(app, { runId: await world.receive('list.csv', peopleCsv(4)) })
    await prepareBatches(app)
    await issue(app, { attemptId: 1 }, never)
    expect(await readDays()).toBe(2)
    await issue(app, { attemptId: 2 }, never)
    expect(await readDays()).toBe(1)
  })
})

describeWithDatabase('batches', () => {
  test('are prepared as soon as a list is published, and sent without a sweep', async () => {
    await using world = await openWorld({})
    await using _worker = await startWorker(world.app, ['intake', 'issue', 'reconcile'])
    const runId = await world.receive('list.csv', peopleCsv(3))
    await world.app.queues.enqueue('intake', { runId })
    await until('the call', async () => (await outcomesOf(world)).accepted === 1)
  })

  test('are prepared ahead together, and more only when half of them are left', async () => {
    await using world = await openWorld({ pipeline: { batch: { size: 2 } }, tuning: { lostAfterMs: 60_000 } })
    const { app } = world
    await intake(app, { runId: await world.receive('list.csv', peopleCsv(100)) })
    expect(await prepareBatches(app)).toBe(16)
    expect(await app.ledger.attempts.countPrepared()).toBe(16)
    const claim = (attemptId: number) =>
      app.ledger.attempts.claim({ attemptId, instance: randomUUID(), requestSha256: 'sha', deadlineMs: 90_000 })
    for (const attemptId of [1, 2, 3, 4, 5, 6, 7]) await claim(attemptId)
    expect(await prepareBatches(app)).toBe(0)
    await claim(8)
    expect(await prepareBatches(app)).toBe(8)
    expect(await app.ledger.attempts.countPrepared()).toBe(16)
  })

  test('are prepared by one caller for all who call meanwhile', async () => {
    await using world = await openWorld({ pipeline: { batch: { size: 2 } }, tuning: { lostAfterMs: 60_000 } })
    await intake(world.app, { runId: await world.receive('list.csv', peopleCsv(100)) })
    const queued = await Promise.all(Array.from({ length: 20 }, () => prepareBatches(world.app)))
    expect(queued.toSorted((a, b) => b - a)).toEqual([16, ...Array(19).fill(0)])
    expect(await world.app.ledger.attempts.countPrepared()).toBe(16)
  })
})
