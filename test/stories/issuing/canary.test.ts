// The first call for a course has only one recipient. After two unknown outcomes in a row the course pauses, and then
// starts with one recipient again.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { startWorker } from '#jobs/worker.ts'
import { audit } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, timesIssued, type World } from '#test/support/world.ts'

const upload = 'quickIssuance/recipients/data/upload'

async function sizesSent({ app }: World): Promise<number[]> {
  const { rows } = await app.database.query<{ size: number }>(
    `SELECT size FROM attempt WHERE phase = 'ended' ORDER BY sending_at`,
  )
  return rows.map((row) => row.size)
}

/** Receives a list and waits, with a worker running, until each of its people has a credential. */
async function issueAll(world: World, name: string, people: number, from?: number): Promise<void> {
  const runId = await world.receive(name, peopleCsv(people, from))
  await until('all credentials', async () => {
    const now = await world.app.ledger.runs.withStates(runId)
    return now?.states.issued === people || JSON.stringify(now?.states)
  })
}

describeWithDatabase('a course', () => {
  test('to which nothing has been sent yet starts with one recipient, and continues with full batches once that call was accepted', async () => {
    await using world = await openWorld({ pipeline: { batch: { size: 10 } }, invitations: { canary: true } })
    await using _worker = await startWorker(world.app)
    await issueAll(world, 'list.csv', 31)
    expect(await sizesSent(world)).toEqual([1, 10, 10, 10])
    await issueAll(world, 'next.csv', 10, 100)
    expect((await sizesSent(world)).slice(4)).toEqual([10])
  })

  test('pauses after two unknown outcomes in a row', async () => {
    await using world = await openWorld({
      pipeline: { batch: { size: 10 } },
      invitations: { concurrency: 1 },
      // Longer than the test, so that it cannot miss the pause.
      tuning: { breaker: { firstMs: 3_600_000, maxMs: 3_600_000 } },
    })
    world.wire.spoil(upload, 'lose-answer', 2)
    await world.receive('list.csv', peopleCsv(41))
    await using _worker = await startWorker(world.app)
    await expect
      .poll(async () => (await world.app.ledger.courses.pauses()).length, { timeout: 240_000, interval: 5 })
      .toBe(1)
    const [pause] = await world.app.ledger.courses.pauses()
    expect(pause?.reason).toContain('two calls in a row')
  })

  test('continues within seconds after lost answers, however long its maximum pause is', async () => {
    await using world = await openWorld({
      pipeline: { batch: { size: 10 } },
      invitations: { canary: true, pause: '1h' },
      tuning: { breaker: { firstMs: 50, maxMs: 3_600_000 } },
    })
    await using _worker = await startWorker(world.app)
    await issueAll(world, 'first.csv', 1, 900)
    world.wire.spoil(upload, 'lose-answer', 4)
    await issueAll(world, 'list.csv', 60)
    expect([...timesIssued(world.sandbox).values()].filter((times) => times !== 1)).toEqual([])
    await audit(world)
  })

  test('pauses if the first two single recipients are refused, instead of having a whole list refused row by row', async () => {
    await using world = await openWorld({
      invitations: { canary: true },
      tuning: { breaker: { firstMs: 3_600_000, maxMs: 3_600_000 } },
    })
    const refusal = { status: 400, body: '{"status":400,"message":"Template is not usable","payload":{}}' }
    world.wire.spoil(upload, refusal, 1_000)
    const runId = await world.receive('list.csv', peopleCsv(50))
    await using _worker = await startWorker(world.app)
    await expect
      .poll(async () => (await world.app.ledger.courses.pauses()).length, { timeout: 240_000, interval: 5 })
      .toBe(1)
    expect((await world.app.ledger.courses.pauses())[0]?.reason).toContain('refused')
    expect(await world.app.ledger.runs.withStates(runId)).toMatchObject({ states: { failed: 2, pending: 48 } })
  })

  test('resumes with one recipient, and everyone gets exactly one credential in the end', async () => {
    await using world = await openWorld({
      pipeline: { batch: { size: 10 } },
      invitations: { concurrency: 1, canary: true },
    })
    await using _worker = await startWorker(world.app)
    await issueAll(world, 'first.csv', 1, 900)
    world.wire.spoil(upload, 'lose-answer', 2)
    await issueAll(world, 'list.csv', 41)
    expect(await sizesSent(world)).toEqual([1, 10, 10, 1, 10, 10])
    expect([...timesIssued(world.sandbox).values()].filter((times) => times !== 1)).toEqual([])
    expect(timesIssued(world.sandbox).size).toBe(42)
    await audit(world)
  })
})

describeWithDatabase('a course whose call gets a 401', () => {
  test('pauses for a minute, with the setting to check, and its rows stay pending', async () => {
    await using world = await openWorld()
    const { app } = world
    await intake(app, { runId: await world.receive('list.csv', peopleCsv(3)) })
    const attemptId = (await prepareOne(app.ledger, 'spring', 10)) as number
    // The client tries once more with a new token.
    world.wire.spoil(upload, { status: 401, body: '{"status":401,"message":"No.","payload":{}}' }, 2)
    const events: object[] = []
    const log = { event: (name: string, fields?: object) => void events.push({ name, ...fields }) }
    await issue({ ...app, log }, { attemptId }, new AbortController().signal)
    const course = world.sandbox.courses[0]?.uuid
    expect(events).toContainEqual({ name: 'course.paused', course, reason: expect.any(String), ms: 60_000 })
    expect(await app.ledger.courses.pauses()).toEqual([
      {
        courseUuid: course,
        reason: expect.stringMatching(/^the service refuses our keys \(status 401\); check CREDSYNC_KEY/),
        since: expect.any(Date),
        until: expect.any(Date),
        afterTrouble: false,
      },
    ])
    const [pause] = await app.ledger.courses.pauses()
    expect(((pause?.until.getTime() ?? 0) - (pause?.since.getTime() ?? 0)) / 1_000).toBeCloseTo(60, 1)
    const { rows } = await app.database.query('SELECT DISTINCT state FROM issuance')
    expect(rows).toEqual([{ state: 'pending' }])
  })
})

describeWithDatabase('a batch that was prepared', () => {
  async function prepareBatch(world: World): Promise<number> {
    await intake(world.app, { runId: await world.receive('list.csv', peopleCsv(3)) })
    return (await prepareOne(world.app.ledger, 'spring', 10)) as number
  }
  const callsOf = (world: World) => world.wire.seen.filter((path) => path.includes(upload))
  const neverAborted = new AbortController().signal

  test('is given back, and its course pauses for five minutes, if the course can no longer issue', async () => {
    await using world = await openWorld()
    const attemptId = await prepareBatch(world)
    const { app } = world
    const log = openRecordedLog()
    const reason = 'the course is disabled'
    const courses = { ...app.courses, whyNotReady: async () => reason }
    await issue({ ...app, log, courses }, { attemptId }, neverAborted)
    const course = world.sandbox.courses[0]?.uuid
    expect(log.lines).toEqual([['course.paused', { course, attempt: attemptId, reason }]])
    const [pause] = await app.ledger.courses.pauses()
    expect(pause).toMatchObject({ courseUuid: course, reason, afterTrouble: false })
    expect(((pause?.until.getTime() ?? 0) - (pause?.since.getTime() ?? 0)) / 60_000).toBeCloseTo(5, 1)
    expect(await app.ledger.attempts.load(attemptId)).toBeNull()
    expect(callsOf(world)).toEqual([])
  })
})
