// When a look at the report counts, and what the ledger knows about a row that was not in it.

import { expect, test } from 'vitest'
import { silentLog } from '#src/log/log.ts'
import { settleDoubts } from '#src/reconcile/settle-doubts.ts'
import { systemClock } from '#src/time/clock.ts'
import { aPolicy, aRecipient, aReportItem, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { hour, openTestLedger, type TestLedger } from '#test/support/ledger.ts'

/** So patient that nothing is decided: these tests are about the looks alone. */
const policy = aPolicy({ looks: 20 })

/** A scan that has begun after everything. */
const latest = { startedAt: new Date('2999-01-01') }

/** Reads a report that shows `people` and counts the look. Gives the looks of every row. */
async function look(of: TestLedger, people: number[] = [], since?: string): Promise<number[]> {
  const items = people.map((n) => aReportItem(aRecipient(n)))
  await settleDoubts({ ledger: of.ledger, log: silentLog, clock: systemClock }, await of.scan(items, since), policy)
  return (await of.standing()).map((each) => each.looks)
}

async function sent(kind: 'unknown' | 'refused', people = 2): Promise<TestLedger> {
  const ledger = await openTestLedger()
  await ledger.publish(recipients(people))
  await ledger.answer(await ledger.send(), { class: kind })
  return ledger
}

describeWithDatabase('a look', () => {
  test.each([
    ['unknown', 6 * hour],
    ['refused', hour],
  ] as const)('for a row whose call was %s counts after its grace, and again a grace later', async (kind, wait) => {
    await using ledger = await sent(kind)
    expect(await look(ledger)).toEqual([0, 0])
    await ledger.timePasses(wait - 60_000)
    expect(await look(ledger)).toEqual([0, 0])
    await ledger.timePasses(61_000)
    expect(await look(ledger)).toEqual([1, 1])
    await ledger.timePasses(wait - 60_000)
    expect(await look(ledger)).toEqual([1, 1])
    await ledger.timePasses(61_000)
    expect(await look(ledger)).toEqual([2, 2])
  })

  test('does not count before the grace has passed since the worker died', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.send()
    await ledger.timePasses(3 * hour)
    await ledger.ledger.loseAttempts(null)
    await ledger.timePasses(2 * hour)
    expect(await look(ledger)).toEqual([0])
    await ledger.timePasses(2 * hour)
    expect(await look(ledger)).toEqual([1])
  })

  test('counts only for what it covers: the day before the first sending must be in reach', async () => {
    await using ledger = await sent('unknown', 1)
    await ledger.timePasses(48 * hour)
    const { day, before } = await ledger.one<{ day: string; before: string }>(
      `SELECT (first_sent_at AT TIME ZONE 'UTC')::date AS day, (first_sent_at AT TIME ZONE 'UTC')::date - 1 AS before FROM issuance`,
    )
    expect(await look(ledger, [], day)).toEqual([0])
    expect(await look(ledger, [], before)).toEqual([1])
  })

  test('counts only for rows that are unconfirmed and that it did not show', async () => {
    await using ledger = await sent('unknown', 3)
    await ledger.publish([aRecipient(4)])
    await ledger.timePasses(7 * hour)
    expect(await look(ledger, [2])).toEqual([1, 0, 1, 0])
    expect(await ledger.states()).toEqual(['unconfirmed', 'issued', 'unconfirmed', 'pending'])
  })

  test('is told in the history, and stops being told when there are many', async () => {
    await using ledger = await sent('unknown', 1)
    for (let times = 0; times < 10; times++) {
      await ledger.timePasses(7 * hour)
      await look(ledger)
    }
    const [life] = await ledger.ledger.explain({ id: 1 })
    expect(life?.history.filter((line) => line.event === 'not in the report')).toHaveLength(8)
    expect((await ledger.standing())[0]?.looks).toBe(10)
  })

  test('begins anew when the row is sent again', async () => {
    await using ledger = await sent('unknown', 1)
    await ledger.timePasses(7 * hour)
    await look(ledger)
    await ledger.ledger.sendAgain([1], { batchCap: null, countsAsResend: true }, latest)
    await ledger.send()
    expect((await ledger.standing())[0]).toMatchObject({ state: 'sending', looks: 0, resends: 1 })
  })
})

describeWithDatabase('a doubtful row', () => {
  /** Reads a report that shows `people`. Gives what is known then of the rows it did not show. */
  async function unshown(of: TestLedger, people: number[] = []) {
    const scan = await of.scan(people.map((n) => aReportItem(aRecipient(n))))
    const rows = await of.ledger.unshownRows(scan.since)
    return rows.map((row) => ({ ...row, control: (scan.shownUpTo.get(row.courseUuid) ?? 0) > row.endedAt }))
  }

  test('knows its outcome and the size of its batch', async () => {
    await using ledger = await sent('refused', 3)
    expect(await unshown(ledger)).toMatchObject([
      { id: 1, outcome: 'refused', batchSize: 3, looks: 0, resends: 0, batchShown: false, control: false },
      { id: 2 },
      { id: 3 },
    ])
  })

  test('has a sibling when another of its batch is in the report', async () => {
    await using ledger = await sent('unknown', 2)
    await ledger.publish([aRecipient(3)])
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    expect(await unshown(ledger, [1])).toMatchObject([
      { id: 2, batchShown: true },
      { id: 3, batchShown: false },
    ])
  })

  test.each([
    ['later, accepted and in the report', true, { class: 'accepted' as const, shown: true }],
    ['later and accepted, but not in the report', false, { class: 'accepted' as const, shown: false }],
    ['later and in the report, but of unknown outcome', false, { class: 'unknown' as const, shown: true }],
  ])('has in a row that was sent %s a control: %s', async (_, control, later) => {
    await using ledger = await sent('unknown', 1)
    await ledger.publish([aRecipient(2)])
    await ledger.answer(await ledger.send(), { class: later.class })
    expect((await unshown(ledger, later.shown ? [2] : []))[0]).toMatchObject({ id: 1, control })
  })

  test('has no control in a row that an earlier reading showed and this one does not', async () => {
    await using ledger = await sent('unknown', 1)
    await ledger.publish([aRecipient(2)])
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    expect((await unshown(ledger, [2]))[0]).toMatchObject({ id: 1, control: true })
    expect((await unshown(ledger, []))[0]).toMatchObject({ id: 1, control: false })
  })

  test('has no control in what was sent before it, nor in another course', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([aRecipient(1)])
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.publish([aRecipient(2)])
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    const elsewhere = { pipeline: 'autumn', course: '22222222-2222-4222-8222-222222222222' }
    await ledger.publish([aRecipient(3)], elsewhere)
    await ledger.answer(await ledger.send(10, 'autumn'), { class: 'accepted' })
    expect(await unshown(ledger, [1, 3])).toMatchObject([{ id: 2, control: false }])
    expect(await ledger.states()).toEqual(['issued', 'unconfirmed', 'issued'])
  })

  test('is held for a person, and its batch lets it go', async () => {
    await using ledger = await sent('unknown', 2)
    await ledger.ledger.holdRows([1], 'nobody can tell', latest)
    expect(await ledger.standing()).toMatchObject([
      { state: 'held', reason: 'nobody can tell' },
      { state: 'unconfirmed' },
    ])
    expect(await ledger.one('SELECT issuance_id AS id FROM attempt_item WHERE open')).toEqual({ id: 2 })
  })

  test('is not sent again when it was found meanwhile', async () => {
    await using ledger = await sent('unknown', 2)
    await ledger.scan([aReportItem(aRecipient(1))])
    await ledger.ledger.sendAgain([1, 2], { batchCap: null, countsAsResend: true }, latest)
    await ledger.ledger.holdRows([1], 'too late', latest)
    expect(await ledger.states()).toEqual(['issued', 'pending'])
  })

  test('is neither sent again nor held for a proof from before its last call', async () => {
    await using ledger = await sent('unknown', 2)
    await ledger.timePasses(7 * hour)
    const proof = await ledger.scan()
    await ledger.ledger.sendAgain([1, 2], { batchCap: null, countsAsResend: true }, proof)
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    await ledger.ledger.noteLooks([1, 2], proof, { controlShown: true, lastLookAt: null })
    await ledger.ledger.sendAgain([1], { batchCap: null, countsAsResend: true }, proof)
    await ledger.ledger.holdRows([2], 'nobody can tell', proof)
    expect(await ledger.standing()).toMatchObject([
      { state: 'unconfirmed', resends: 1, looks: 0 },
      { state: 'unconfirmed', resends: 1, looks: 0 },
    ])
    expect(await ledger.one('SELECT count(*) AS open FROM attempt_item WHERE open')).toEqual({ open: 2 })
  })

  test('is counted once for two readings of one grace that were judged side by side', async () => {
    await using ledger = await sent('unknown', 1)
    await ledger.timePasses(7 * hour)
    const [one, other] = [await ledger.scan(), await ledger.scan()]
    const look = { controlShown: true, lastLookAt: null }
    expect(await ledger.ledger.noteLooks([1], one, look)).toEqual([1])
    expect(await ledger.ledger.noteLooks([1], other, look)).toEqual([])
    expect((await ledger.standing())[0]).toMatchObject({ looks: 1 })
  })
})

describeWithDatabase('an item without an id', () => {
  const loose = { key: 'fp', fingerprint: 'fp', requestDate: null }
  const named = (key: string) => ({ key, fingerprint: 'fp', requestDate: null })

  test('keeps its first time when it has one, and lends it to no other of the same person and day', async () => {
    await using ledger = await openTestLedger()
    await ledger.ledger.noteSightings([loose])
    await ledger.ledger.noteSightings([named('first')])
    await ledger.ledger.noteSightings([named('second')])
    const seen = await ledger.ledger.firstSightings(['fp', 'first', 'second'])
    expect([...seen.keys()].sort()).toEqual(['first', 'second'])
    expect(seen.get('second')?.getTime()).toBeGreaterThan(seen.get('first')?.getTime() ?? 0)
  })

  test('keeps its own first time while another with an id is shown beside it', async () => {
    await using ledger = await openTestLedger()
    await ledger.ledger.noteSightings([loose])
    await ledger.ledger.noteSightings([loose, named('other')])
    expect([...(await ledger.ledger.firstSightings(['fp', 'other'])).keys()].sort()).toEqual(['fp', 'other'])
  })
})
