// When a scan of the report counts, and what the ledger records about a row that the scan did not show.

import { expect, test } from 'vitest'
import { resolveUnconfirmed } from '#src/issuing/reconcile/resolve-unconfirmed.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aPolicy, aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { hour, openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

/** Requires so many looks that no row is ever decided: these tests are about scans only. */
const policy = aPolicy({ looks: 20 })

/** A scan that began after everything else. */
const latest = { startedAt: new Date('2999-01-01') }

/** Scans a report that shows `people`, and counts the scan. @returns the number of looks of every row */
async function look(testLedger: TestLedger, people: number[] = [], since?: string): Promise<number[]> {
  const items = people.map((n) => aReportItem(aRecipient(n)))
  await resolveUnconfirmed(
    { ledger: testLedger.ledger, log: silentLog, clock: systemClock },
    await testLedger.scan(items, since),
    policy,
  )
  return (await testLedger.issuances()).map((each) => each.looks)
}

async function openSent(kind: 'unknown' | 'refused', people = 2): Promise<TestLedger> {
  const ledger = await openTestLedger()
  await ledger.publish(recipients(people))
  await ledger.answer(await ledger.send(), { class: kind })
  return ledger
}

describeWithDatabase('a scan', () => {
  test('counts only for rows that it covers: it must reach back to the day before their first call', async () => {
    await using ledger = await openSent('unknown', 1)
    await ledger.timePasses(48 * hour)
    const { day, before } = await ledger.queryOne<{ day: string; before: string }>(
      `SELECT (first_sent_at AT TIME ZONE 'UTC')::date AS day, (first_sent_at AT TIME ZONE 'UTC')::date - 1 AS before FROM issuance`,
    )
    expect(await look(ledger, [], day)).toEqual([0])
    expect(await look(ledger, [], before)).toEqual([1])
  })

  test('counts only for unconfirmed rows that it did not show', async () => {
    await using ledger = await openSent('unknown', 3)
    await ledger.publish([aRecipient(4)])
    await ledger.timePasses(7 * hour)
    expect(await look(ledger, [2])).toEqual([1, 0, 1, 0])
    expect(await ledger.states()).toEqual(['unconfirmed', 'issued', 'unconfirmed', 'pending'])
  })

  test('is recorded in the history, but only the first eight times', async () => {
    await using ledger = await openSent('unknown', 1)
    for (let times = 0; times < 10; times++) {
      await ledger.timePasses(7 * hour)
      await look(ledger)
    }
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained?.history.filter((line) => line.event === 'not in the report')).toHaveLength(8)
    expect((await ledger.issuances())[0]?.looks).toBe(10)
  })

  test('is counted from zero when the row is sent again', async () => {
    await using ledger = await openSent('unknown', 1)
    await ledger.timePasses(7 * hour)
    await look(ledger)
    await ledger.ledger.absence.sendAgain([1], { batchCap: null, countsAsResend: true }, latest)
    await ledger.send()
    expect((await ledger.issuances())[0]).toMatchObject({ state: 'sending', looks: 0, resends: 1 })
  })
})

describeWithDatabase('an unconfirmed row', () => {
  /** Scans a report that shows `people`. @returns what is known about the rows that it did not show */
  async function unshown(testLedger: TestLedger, people: number[] = []) {
    const scan = await testLedger.scan(people.map((n) => aReportItem(aRecipient(n))))
    const rows = await testLedger.ledger.absence.unshownRows(scan.since)
    return rows.map((row) => ({ ...row, control: (scan.shownUpTo.get(row.courseUuid) ?? 0) > row.endedAt }))
  }

  test('is returned with its outcome and the size of its batch', async () => {
    await using ledger = await openSent('refused', 3)
    expect(await unshown(ledger)).toMatchObject([
      { id: 1, outcome: 'refused', batchSize: 3, looks: 0, resends: 0, batchShown: false, control: false },
      { id: 2 },
      { id: 3 },
    ])
  })

  test('is flagged if another row of its batch is in the report', async () => {
    await using ledger = await openSent('unknown', 2)
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
  ])('if another row was sent %s, has a control: %s', async (_, control, later) => {
    await using ledger = await openSent('unknown', 1)
    await ledger.publish([aRecipient(2)])
    await ledger.answer(await ledger.send(), { class: later.class })
    expect((await unshown(ledger, later.shown ? [2] : []))[0]).toMatchObject({ id: 1, control })
  })

  test('gets no control from a row that an earlier scan showed and the current scan does not', async () => {
    await using ledger = await openSent('unknown', 1)
    await ledger.publish([aRecipient(2)])
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    expect((await unshown(ledger, [2]))[0]).toMatchObject({ id: 1, control: true })
    expect((await unshown(ledger, []))[0]).toMatchObject({ id: 1, control: false })
  })

  test('gets no control from earlier calls or from another course', async () => {
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

  test('is not sent again if it was found in the meantime', async () => {
    await using ledger = await openSent('unknown', 2)
    await ledger.scan([aReportItem(aRecipient(1))])
    await ledger.ledger.absence.sendAgain([1, 2], { batchCap: null, countsAsResend: true }, latest)
    await ledger.ledger.absence.hold([1], 'too late', latest)
    expect(await ledger.states()).toEqual(['issued', 'pending'])
  })

  test('is neither sent again nor held because of a proof that predates its last call', async () => {
    await using ledger = await openSent('unknown', 2)
    await ledger.timePasses(7 * hour)
    const proof = await ledger.scan()
    await ledger.ledger.absence.sendAgain([1, 2], { batchCap: null, countsAsResend: true }, proof)
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    await ledger.ledger.absence.noteLooks([1, 2], proof, { controlShown: true, lastLookAt: null })
    await ledger.ledger.absence.sendAgain([1], { batchCap: null, countsAsResend: true }, proof)
    await ledger.ledger.absence.hold([2], 'undecidable', proof)
    expect(await ledger.issuances()).toMatchObject([
      { state: 'unconfirmed', resends: 1, looks: 0 },
      { state: 'unconfirmed', resends: 1, looks: 0 },
    ])
    expect(await ledger.queryOne('SELECT count(open_attempt) AS open FROM issuance')).toEqual({ open: 2 })
  })

  test('is looked for, sent again and held by a scan that began as its last call was recorded', async () => {
    await using ledger = await openSent('unknown', 3)
    const startedAt = new Date('2026-03-01T12:00:00Z')
    await ledger.database.query('UPDATE issuance SET last_sent_at = $1, batch_cap = 2', [startedAt])
    const { absence } = ledger.ledger
    const scan = { id: (await ledger.ledger.scans.begin('2026-01-01')).id, startedAt }
    expect(await absence.noteLooks([1], scan, { controlShown: true, lastLookAt: null })).toEqual([1])
    await absence.sendAgain([2], { batchCap: null, countsAsResend: false }, scan)
    await absence.hold([3], 'undecidable', scan)
    expect(await ledger.issuances()).toMatchObject([
      { state: 'unconfirmed', looks: 1 },
      // Its batches stay as small as they were.
      { state: 'pending', batchCap: 2 },
      { state: 'held' },
    ])
  })

  test('that has an item whose status says nothing yet is not absent', async () => {
    await using ledger = await openSent('unknown', 2)
    await ledger.database.query(
      `INSERT INTO report_claim (environment, issuance_id, item_key, fingerprint) VALUES ('development', 1, 'x', 'f')`,
    )
    expect((await ledger.ledger.absence.unshownRows('2000-01-01')).map(({ id }) => id)).toEqual([2])
  })

  test('gets only one look from two scans within one grace period that are processed concurrently', async () => {
    await using ledger = await openSent('unknown', 1)
    await ledger.timePasses(7 * hour)
    const [one, other] = [await ledger.scan(), await ledger.scan()]
    const look = { controlShown: true, lastLookAt: null }
    expect(await ledger.ledger.absence.noteLooks([1], one, look)).toEqual([1])
    expect(await ledger.ledger.absence.noteLooks([1], other, look)).toEqual([])
    expect((await ledger.issuances())[0]).toMatchObject({ looks: 1 })
  })
})
