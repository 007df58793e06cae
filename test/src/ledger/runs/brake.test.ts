// A run that is too large is held as a whole until an operator decides, and does not block other runs. Also tests how
// runs are found by their ids.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { BrakeLimits } from '#src/domain/credential/brake.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aCourse, aRecipient, aStagedRow, type Recipient, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const ada = { by: 'Ada', why: 'she looked' }

interface List {
  people: readonly Recipient[]
  brake?: BrakeLimits
  sha?: string
  hasInvalidRow?: boolean
}

/** Receives, stages and publishes a list, as intake does with a file. */
async function handOver({ ledger }: TestLedger, { people, brake, sha = randomUUID(), hasInvalidRow: bad }: List) {
  const file = { pipeline: 'spring', sourceName: 'list.csv', sourcePath: '/list.csv', sourceSha256: sha }
  const { run, resumed } = await ledger.runs.receive(file)
  await ledger.intake.clear(run.id)
  const rows = people.map((person, index) => aStagedRow(index + 2, person, ledger.hasher))
  if (bad) rows.push(aBadRow(rows.length + 2))
  await ledger.intake.stage(run.id, rows)
  const publication = { courseUuid: aCourse, format: 'csv', header: ['a'], notices: [], brake }
  return { id: run.id, resumed, published: await ledger.intake.publish(run.id, publication, rows.length) }
}

const issuances = (ledger: TestLedger) => ledger.states().then((states) => states.length)

describeWithDatabase('a run that is too large', () => {
  test('is held: none of its rows is issued or stored, and only their number is recorded', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    const people = [...recipients(6), aRecipient(6), aRecipient(7), aRecipient(7, { 'First Name': 'Bea' })]
    const { id, published } = await handOver(ledger, { people, brake: { rows: 3 }, hasInvalidRow: true })
    expect(published).toBe(false)
    // Of the ten rows one is invalid, two conflict, two are known, and one is a duplicate.
    expect(await ledger.ledger.runs.find(id)).toMatchObject({
      state: 'braked',
      brake: { accepted: 4, usual: null, because: '4 rows would be issued, more than the limit of 3 (brake.rows).' },
      ...{ rows: 0, accepted: 0, readRows: 10, settledAt: null, approval: null },
    })
    expect(await issuances(ledger)).toBe(2)
    const left =
      'SELECT (SELECT count(*) FROM staged_row) AS staged, (SELECT count(*) FROM run_row WHERE run_id = $1) AS rows'
    expect(await ledger.queryOne(left, [id])).toEqual({ staged: 0, rows: 0 })
  })

  test('is not due for any job, never settles, and blocks no other run', async () => {
    await using ledger = await openTestLedger()
    const { id } = await handOver(ledger, { people: recipients(5), brake: { rows: 3 } })
    expect(await ledger.ledger.work.takeRunsToRead()).toEqual([])
    await ledger.ledger.work.forgetEnqueued()
    expect(await ledger.ledger.work.takeRunsToRead()).toEqual([])
    expect(await ledger.ledger.runs.settle()).toEqual([])
    const other = await handOver(ledger, { people: recipients(3), brake: { rows: 3 } })
    expect(other.published).toBe(true)
    expect(await ledger.ledger.runs.find(id)).toMatchObject({ state: 'braked', settledAt: null })
  })

  test('is resumed if its file is submitted again, and is read from the new path', async () => {
    await using ledger = await openTestLedger()
    const { id } = await handOver(ledger, { people: recipients(5), brake: { rows: 3 }, sha: 'same' })
    const moved = { pipeline: 'spring', sourceName: 'b.csv', sourcePath: '/b.csv', sourceSha256: 'same' }
    const again = await ledger.ledger.runs.receive(moved)
    expect(again).toMatchObject({ resumed: true, run: { id, state: 'braked' } })
    expect(await ledger.ledger.runs.find(id)).toMatchObject({ sourcePath: '/b.csv', sourceName: 'b.csv' })
  })

  test('is published whatever its size once it is approved, and the operator and the reason are recorded', async () => {
    await using ledger = await openTestLedger()
    const list = { people: recipients(5), brake: { rows: 3 }, sha: 'same' }
    const { id } = await handOver(ledger, list)
    expect(await ledger.ledger.brake.approve(id, ada)).toBe(true)
    expect(await ledger.ledger.runs.find(id)).toMatchObject({ state: 'received', approval: ada })
    expect(await ledger.ledger.work.takeRunsToRead()).toEqual([id])
    expect(await handOver(ledger, list)).toEqual({ id, resumed: true, published: true })
    expect(await ledger.ledger.runs.find(id)).toMatchObject({ state: 'published', accepted: 5, approval: ada })
    expect(await issuances(ledger)).toBe(5)
  })

  test('is refused once it is rejected, with the operator and the reason, and its file can be submitted again', async () => {
    await using ledger = await openTestLedger()
    const list = { people: recipients(5), brake: { rows: 3 }, sha: 'same' }
    const { id } = await handOver(ledger, list)
    expect(await ledger.ledger.brake.reject(id, ada)).toBe(true)
    const refusal = 'rejected by Ada: she looked'
    expect(await ledger.ledger.runs.find(id)).toMatchObject({ state: 'refused', refusal, settledAt: expect.any(Date) })
    const kept = 'SELECT rejected_by AS by, rejected_why AS why, rejected_at IS NOT NULL AS dated FROM run'
    expect(await ledger.queryOne(kept)).toEqual({ ...ada, dated: true })
    expect(await handOver(ledger, list)).toMatchObject({ resumed: false, published: false })
  })
})

describeWithDatabase('the usual size', () => {
  test('is the median of the last ten runs that issued anything, and is unknown before the third run', async () => {
    await using ledger = await openTestLedger()
    let next = 100
    const newPeople = (count: number) => {
      next += 100
      return recipients(count, next)
    }
    const brake = { percent: 50 }
    const first = await handOver(ledger, { people: newPeople(40), brake })
    const { notices } = (await ledger.ledger.runs.find(first.id)) ?? {}
    expect(notices).toEqual([expect.stringContaining('there are 0')])
    // Ten runs of 20, with empty lists between them: the run of 40 is no longer counted.
    for (let at = 0; at < 10; at++) {
      await ledger.publish(newPeople(20))
      await ledger.publish([])
    }
    const inside = await handOver(ledger, { people: newPeople(30), brake })
    expect(inside.published).toBe(true)
    expect((await ledger.ledger.runs.find(inside.id))?.notices).toEqual([])
    const above = await handOver(ledger, { people: newPeople(31), brake })
    expect((await ledger.ledger.runs.find(above.id))?.brake).toEqual({
      accepted: 31,
      usual: 20,
      because: '31 rows would be issued, more than 50 % above the usual 20.',
      shown: false,
      adopted: false,
    })
  })
})

describeWithDatabase('a daily limit', () => {
  const brake = { perDay: 3 }
  const listOfOne = (n: number) => ({ people: [aRecipient(n)], brake })

  test('allows rows until it is reached, and again when earlier rows are a day old', async () => {
    await using ledger = await openTestLedger()
    const first = await handOver(ledger, listOfOne(1))
    for (const n of [2, 3]) expect((await handOver(ledger, listOfOne(n))).published).toBe(true)
    const beyond = await handOver(ledger, { ...listOfOne(4), sha: 'fourth' })
    expect(beyond.published).toBe(false)
    expect((await ledger.ledger.runs.find(beyond.id))?.brake?.because).toBe(
      '1 row would be issued, together with the 3 issued in the last 24 hours more than the limit of 3 (brake.perDay).',
    )
    // People who are already known are not issued, so they never exceed the limit.
    expect((await handOver(ledger, listOfOne(2))).published).toBe(true)
    await ledger.database.query("UPDATE run SET published_at = published_at - interval '24 hours' WHERE id = $1", [
      first.id,
    ])
    expect((await handOver(ledger, listOfOne(5))).published).toBe(true)
    expect((await handOver(ledger, listOfOne(6))).published).toBe(false)
    expect(await issuances(ledger)).toBe(4)
  })
})
