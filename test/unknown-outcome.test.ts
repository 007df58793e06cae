// Calls whose outcome nobody knows. The judge is the sandbox's own book: each person once, whatever the wire does.

import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import type { State } from '#src/issuance/state.ts'
import { countIn, restingStates, totalOf } from '#src/issuance/state.ts'
import { audit } from './support/auditor.ts'
import { describeWithDatabase } from './support/database.ts'
import { openWorld, peopleCsv, timesIssued, type World, type WorldOptions } from './support/world.ts'

const upload = 'quickIssuance/recipients/data/upload'

async function workUntilRest(world: World, runId: string) {
  const worker = await startWorker(world.app)
  try {
    await expect
      .poll(async () => atRest(await world.app.ledger.runWithStates(runId)), { timeout: 40_000, interval: 100 })
      .toBe(true)
    return await world.app.ledger.runWithStates(runId)
  } finally {
    await worker?.stop()
  }
}

function atRest(now: { run: { state: string }; states: Record<State, number> } | null): boolean {
  return now?.run.state === 'published' && countIn(now.states, restingStates) === totalOf(now.states)
}

async function everyoneOnce(world: World, people: number): Promise<void> {
  await audit(world)
  const times = timesIssued(world.sandbox)
  expect([...times.values()].filter((count) => count !== 1)).toEqual([])
  expect(times.size).toBe(people)
}

/** Small batches, one after the other, so that a spoiled one has others before and after it. */
const small: WorldOptions = { pipeline: { batch: { size: 5 } }, invitations: { concurrency: 1 } }

describeWithDatabase('a call of unknown outcome', () => {
  test('whose answer was lost is found in the report and adopted, not sent again', async () => {
    await using world = await openWorld(small)
    const runId = await world.receive('list.csv', peopleCsv(20))
    world.wire.spoil(upload, 'lose-answer')
    const now = await workUntilRest(world, runId)
    expect(now?.states).toMatchObject({ issued: 20 })
    await everyoneOnce(world, 20)
    expect(world.wire.seen.filter((path) => path.includes(upload))).toHaveLength(4)
  })

  test('that never arrived is proven absent by the report, and then sent once more', async () => {
    await using world = await openWorld(small)
    const runId = await world.receive('list.csv', peopleCsv(20))
    world.wire.spoil(upload, 'lose-request')
    const now = await workUntilRest(world, runId)
    expect(now?.states).toMatchObject({ issued: 20 })
    await everyoneOnce(world, 20)
    expect(world.wire.seen.filter((path) => path.includes(upload))).toHaveLength(5)
  })

  test('that answers 502 after the service did the work issues nobody twice', async () => {
    await using world = await openWorld(small)
    const runId = await world.receive('list.csv', peopleCsv(20))
    world.wire.spoil(upload, { status: 502, body: '<html>Bad gateway</html>' })
    world.wire.spoil(upload, 'lose-answer')
    const now = await workUntilRest(world, runId)
    expect(now?.states).toMatchObject({ issued: 20 })
    await everyoneOnce(world, 20)
  })

  test('that is unknown a second time is held for a person, not sent a third time', async () => {
    await using world = await openWorld({ ...small, reconcile: { grace: '300ms' } })
    world.wire.spoilIfBody(upload, 'person.7@example.org', 'lose-request')
    const runId = await world.receive('list.csv', peopleCsv(20))
    const worker = await startWorker(world.app)
    const held = async () => (await world.app.ledger.runWithStates(runId))?.states.held
    // What is sent later and accepted is the control; new lists keep coming until the second doubt is settled.
    for (let list = 1; (await held()) === 0 && list < 30; list++) {
      const other = await world.receive(`others-${list}.csv`, peopleCsv(5, list * 100))
      await expect.poll(async () => atRest(await world.app.ledger.runWithStates(other)), { timeout: 20_000 }).toBe(true)
    }
    await worker?.stop()
    expect(await world.app.ledger.runWithStates(runId)).toMatchObject({ states: { issued: 15, held: 5 } })
    const [one] = await world.app.ledger.explain({
      hashes: [world.app.ledger.hasher.match('email', 'person.7@example.org')],
    })
    expect(one?.history.filter((line) => line.to === 'sending')).toHaveLength(2)
    await audit(world)
    expect(one).toMatchObject({ state: 'held', reason: 'its outcome is unknown for the second time' })
  })

  test('refused in words is halved until the one row stands alone, and the rest is issued', async () => {
    // The sandbox refuses a whole batch for this one row; our own check cannot know its rule.
    await using world = await openWorld({ pipeline: { batch: { size: 8 } } })
    const runId = await world.receive('list.csv', peopleCsv(8))
    world.wire.spoilIfBody(upload, 'person.3@example.org', {
      status: 400,
      body: '{"status":400,"message":"Recipient refused","payload":{}}',
    })
    const now = await workUntilRest(world, runId)
    expect(now?.states.failed).toBe(1)
    expect(now?.states.issued).toBe((now?.run.accepted ?? 0) - 1)
    const [failed] =
      (await world.app.ledger.explain({ hashes: [world.app.ledger.hasher.match('email', 'person.3@example.org')] })) ??
      []
    expect(failed).toMatchObject({ state: 'failed', reason: expect.stringContaining('Recipient refused') })
    await everyoneOnce(world, now?.states.issued ?? 0)
  })

  test('too large is halved at once, and the size that works is remembered', async () => {
    await using world = await openWorld({ pipeline: { batch: { size: 16 } }, sandbox: { maxBatch: 4 } })
    const runId = await world.receive('list.csv', peopleCsv(16))
    const now = await workUntilRest(world, runId)
    expect(now?.states).toMatchObject({ issued: 16 })
    await everyoneOnce(world, 16)
    expect(await world.app.ledger.learnedBatchLimit('spring')).toBe(4)
  })
})
