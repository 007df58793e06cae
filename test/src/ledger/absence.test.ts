// When a look at the report counts, and what the ledger knows about a row that was not in it.

import { expect, test } from 'vitest'
import { aRecipient, aReportItem, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { hour, openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const grace = { unknown: 6 * hour, refused: hour }

/** Reads a report that shows `people` and counts the look. Gives the looks of every row. */
async function look(of: TestLedger, people: number[] = [], since?: string): Promise<number[]> {
  const items = people.map((n) => aReportItem(aRecipient(n)))
  await of.ledger.countLooks(await of.scan(items, since), grace)
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
    await ledger.ledger.sendAgain([1], { cap: null, countsAsResend: true })
    await ledger.send()
    expect((await ledger.standing())[0]).toMatchObject({ state: 'sending', looks: 0, resends: 1 })
  })
})

describeWithDatabase('a doubtful row', () => {
  const doubts = async (of: TestLedger, looks = 0) => (await of.ledger.doubtfulRows(looks)).sort((a, b) => a.id - b.id)

  test('knows its outcome and the size of its batch', async () => {
    await using ledger = await sent('refused', 3)
    expect(await doubts(ledger)).toMatchObject([
      { id: 1, outcome: 'refused', batchSize: 3, looks: 0, resends: 0, siblingVisible: false, controlVisible: false },
      { id: 2 },
      { id: 3 },
    ])
    expect(await doubts(ledger, 1)).toEqual([])
  })

  test('has a sibling when another of its batch is in the report', async () => {
    await using ledger = await sent('unknown', 2)
    await ledger.publish([aRecipient(3)])
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    await ledger.scan([aReportItem(aRecipient(1))])
    expect(await doubts(ledger)).toMatchObject([
      { id: 2, siblingVisible: true },
      { id: 3, siblingVisible: false },
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
    await ledger.scan(later.shown ? [aReportItem(aRecipient(2))] : [])
    expect((await doubts(ledger))[0]).toMatchObject({ id: 1, controlVisible: control })
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
    await ledger.scan([1, 3].map((n) => aReportItem(aRecipient(n))))
    expect(await ledger.states()).toEqual(['issued', 'unconfirmed', 'issued'])
    expect(await doubts(ledger)).toMatchObject([{ id: 2, controlVisible: false }])
  })

  test('is held for a person, and its batch lets it go', async () => {
    await using ledger = await sent('unknown', 2)
    await ledger.ledger.holdRows([1], 'nobody can tell')
    expect(await ledger.standing()).toMatchObject([
      { state: 'held', reason: 'nobody can tell' },
      { state: 'unconfirmed' },
    ])
    expect(await ledger.one('SELECT issuance_id AS id FROM attempt_item WHERE open')).toEqual({ id: 2 })
  })

  test('is not sent again when it was found meanwhile', async () => {
    await using ledger = await sent('unknown', 2)
    await ledger.scan([aReportItem(aRecipient(1))])
    await ledger.ledger.sendAgain([1, 2], { cap: null, countsAsResend: true })
    await ledger.ledger.holdRows([1], 'too late')
    expect(await ledger.states()).toEqual(['issued', 'pending'])
  })
})
