// Calls with an unknown outcome, and batches that the service refuses. The sandbox's records must show that each person
// got exactly one credential, whatever the network does.

import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import type { State } from '#src/domain/credential/state.ts'
import { countIn, restingStates, totalOf } from '#src/domain/credential/state.ts'
import { audit } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { openWorld, peopleCsv, timesIssued, type World, type WorldOptions } from '#test/support/world.ts'

const upload = 'quickIssuance/recipients/data/upload'

async function workUntilRest(world: World, runId: string) {
  const worker = await startWorker(world.app)
  try {
    await expect
      .poll(async () => atRest(await world.app.ledger.runs.withStates(runId)), { timeout: 240_000, interval: 100 })
      .toBe(true)
    return await world.app.ledger.runs.withStates(runId)
  } finally {
    await worker?.stop()
  }
}

function atRest(now: { run: { state: string }; states: Record<State, number> } | null): boolean {
  return now?.run.state === 'published' && countIn(now.states, restingStates) === totalOf(now.states)
}

async function expectOneCredentialEach(world: World, people: number): Promise<void> {
  await audit(world)
  const times = timesIssued(world.sandbox)
  expect([...times.values()].filter((count) => count !== 1)).toEqual([])
  expect(times.size).toBe(people)
}

/** Small batches, one after the other, so that there are others before and after the batch whose call fails. */
const smallBatches: WorldOptions = { pipeline: { batch: { size: 5 } }, invitations: { concurrency: 1 } }

describeWithDatabase('a call with an unknown outcome', () => {
  test('whose answer was lost is found in the report and not sent again', async () => {
    await using world = await openWorld(smallBatches)
    const runId = await world.receive('list.csv', peopleCsv(20))
    world.wire.spoil(upload, 'lose-answer')
    const now = await workUntilRest(world, runId)
    expect(now?.states).toMatchObject({ issued: 20 })
    await expectOneCredentialEach(world, 20)
    expect(world.wire.seen.filter((path) => path.includes(upload))).toHaveLength(4)
  })

  test('that never arrived is proven absent by the report and sent once more', async () => {
    const log = openRecordedLog()
    await using world = await openWorld({ ...smallBatches, appOptions: { log } })
    const runId = await world.receive('list.csv', peopleCsv(20))
    world.wire.spoil(upload, 'lose-request')
    const now = await workUntilRest(world, runId)
    expect(now?.states).toMatchObject({ issued: 20 })
    await expectOneCredentialEach(world, 20)
    expect(world.wire.seen.filter((path) => path.includes(upload))).toHaveLength(5)
    const again = log.fieldsOf('issuance.again')
    expect(again.map(({ outcome }) => outcome)).toEqual(again.map(() => 'unknown'))
    expect(again.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(5)
  })

  test('that gets a 502 although the service may have applied it issues no credential twice', async () => {
    await using world = await openWorld(smallBatches)
    const runId = await world.receive('list.csv', peopleCsv(20))
    world.wire.spoil(upload, { status: 502, body: '<html>Bad gateway</html>' })
    world.wire.spoil(upload, 'lose-answer')
    const now = await workUntilRest(world, runId)
    expect(now?.states).toMatchObject({ issued: 20 })
    await expectOneCredentialEach(world, 20)
  })

  test('whose outcome is unknown a second time is held for an operator and not sent a third time', async () => {
    const log = openRecordedLog()
    await using world = await openWorld({ ...smallBatches, reconcile: { grace: '300ms' }, appOptions: { log } })
    world.wire.spoilIfBody(upload, 'person.7@example.org', 'lose-request')
    const runId = await world.receive('list.csv', peopleCsv(20))
    const worker = await startWorker(world.app)
    const held = async () => (await world.app.ledger.runs.withStates(runId))?.states.held
    // Calls that are sent later and accepted serve as the control, so new lists are received until the second outcome
    // is decided.
    for (let list = 1; (await held()) === 0 && list < 30; list++) {
      const other = await world.receive(`others-${list}.csv`, peopleCsv(5, list * 100))
      await expect
        .poll(async () => atRest(await world.app.ledger.runs.withStates(other)), { timeout: 240_000 })
        .toBe(true)
    }
    await worker?.stop()
    // Rows of a later list may be among those that are sent again, so not all five need be in the second lost call.
    const heldRows = (await held()) ?? 0
    expect(heldRows).toBeGreaterThan(0)
    expect(heldRows).toBeLessThanOrEqual(5)
    const [one] = await world.app.ledger.issuances.explain({
      hashes: [world.app.ledger.hasher.match('email', 'person.7@example.org')],
    })
    expect(one?.history.filter((line) => line.to === 'sending')).toHaveLength(2)
    await audit(world)
    const reason = 'its outcome is unknown for the second time'
    expect(one).toMatchObject({ state: 'held', reason })
    const heldLines = log.fieldsOf('issuance.held')
    expect(heldLines.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(heldRows)
    expect(new Set(heldLines.map((heldLine) => heldLine.reason))).toEqual(new Set([reason]))
  })
})

describeWithDatabase('a batch', () => {
  test('that the service refuses is halved until the refused row is alone, and the other rows are issued', async () => {
    // The sandbox refuses the whole batch because of this row, by a rule that our own check cannot know.
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
      (await world.app.ledger.issuances.explain({
        hashes: [world.app.ledger.hasher.match('email', 'person.3@example.org')],
      })) ?? []
    expect(failed).toMatchObject({ state: 'failed', reason: expect.stringContaining('Recipient refused') })
    await expectOneCredentialEach(world, now?.states.issued ?? 0)
  })

  test('that is too large is halved immediately, and the accepted size is remembered', async () => {
    await using world = await openWorld({ pipeline: { batch: { size: 16 } }, sandbox: { maxBatch: 4 } })
    const runId = await world.receive('list.csv', peopleCsv(16))
    const now = await workUntilRest(world, runId)
    expect(now?.states).toMatchObject({ issued: 16 })
    await expectOneCredentialEach(world, 16)
    expect(await world.app.ledger.courses.learnedBatchLimit('spring')).toBe(4)
  })
})
