// From an unknown outcome to its end, on a real ledger: adopted, sent once more, split in halves, or held.

import { expect, test } from 'vitest'
import { silentLog } from '#src/log/log.ts'
import { settleDoubts } from '#src/reconcile/settle-doubts.ts'
import { systemClock } from '#src/time/clock.ts'
import { aPolicy, aRecipient, aReportItem, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { hour, openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const policy = aPolicy()

/** A grace passes, and the report is read: it shows the people `visible`. */
async function look(of: TestLedger, visible: Iterable<number> = []) {
  await of.timePasses(7 * hour)
  const items = [...visible].map((n) => aReportItem(aRecipient(n)))
  return settleDoubts({ ledger: of.ledger, log: silentLog, clock: systemClock }, await of.scan(items), policy)
}

/** Person 1 was sent with an unknown outcome, person 2 later and accepted. */
async function withControl(): Promise<TestLedger> {
  const ledger = await openTestLedger()
  await ledger.publish(recipients(2))
  await ledger.answer(await ledger.send(1), { class: 'unknown' })
  await ledger.answer(await ledger.send(1), { class: 'accepted' })
  return ledger
}

describeWithDatabase('an unknown outcome', () => {
  test('is sent again after two looks with a control, and is held when it is unknown again', async () => {
    await using ledger = await withControl()
    expect(await look(ledger, [2])).toEqual({ again: 0, held: 0 })
    expect(await ledger.states()).toEqual(['unconfirmed', 'issued'])
    expect(await look(ledger, [2])).toEqual({ again: 1, held: 0 })
    expect(await ledger.standing()).toMatchObject([{ state: 'pending', due: 'now', resends: 1, cap: null }, {}])
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    expect(await look(ledger, [2])).toEqual({ again: 0, held: 0 })
    expect(await look(ledger, [2])).toEqual({ again: 0, held: 1 })
    expect((await ledger.standing())[0]).toMatchObject({
      state: 'held',
      reason: expect.stringContaining('second time'),
    })
  })

  test('is adopted when the report shows it late', async () => {
    await using ledger = await withControl()
    await look(ledger, [2])
    await look(ledger, [1, 2])
    expect(await ledger.states()).toEqual(['issued', 'issued'])
    expect((await ledger.standing())[0]).toMatchObject({ resends: 0 })
  })

  test('that shows up when it is about to be sent again is adopted, and the batch that held it is dropped', async () => {
    await using ledger = await withControl()
    await look(ledger, [2])
    await look(ledger, [2])
    const attempt = await ledger.ledger.prepareAttempt('spring', 100)
    expect(attempt).not.toBeNull()
    await ledger.scan([aReportItem(aRecipient(1)), aReportItem(aRecipient(2))])
    expect(await ledger.states()).toEqual(['issued', 'issued'])
    expect(await ledger.ledger.loadBatch(attempt ?? 0)).toBeNull()
    const [found] = await ledger.ledger.explain({ id: 1 })
    expect(found?.history.map((line) => line.to).slice(-5)).toEqual([
      'pending',
      'unconfirmed',
      'requested',
      'in_progress',
      'issued',
    ])
  })

  test('that shows up after it was sent again is one credential and one for a person to look at', async () => {
    await using ledger = await withControl()
    await look(ledger, [2])
    await look(ledger, [2])
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    const twice = ['late', 'again'].map((entity_uuid) => aReportItem(aRecipient(1), { entity_uuid }))
    await ledger.scan(twice)
    expect((await ledger.standing())[0]).toMatchObject({ state: 'held', surplus: 1 })
  })

  test('without a control waits, and is held after eight looks', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    for (let looks = 1; looks < 8; looks++) expect(await look(ledger)).toEqual({ again: 0, held: 0 })
    expect(await look(ledger)).toEqual({ again: 0, held: 1 })
    expect(await ledger.states()).toEqual(['held'])
  })

  test('with a batch-mate in the report waits, and is never sent again', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(3))
    await ledger.answer(await ledger.send(2), { class: 'unknown' })
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    for (let looks = 1; looks < 48; looks++) expect(await look(ledger, [1, 3])).toEqual({ again: 0, held: 0 })
    expect(await look(ledger, [1, 3])).toEqual({ again: 0, held: 1 })
    expect(await ledger.states()).toEqual(['issued', 'held', 'issued'])
  })

  test('is not decided by a scan that did not come to its end', async () => {
    await using ledger = await withControl()
    await look(ledger, [2])
    await ledger.timePasses(7 * hour)
    const scan = { ...(await ledger.scan([aReportItem(aRecipient(2))])), complete: false }
    expect(await settleDoubts({ ledger: ledger.ledger, log: silentLog, clock: systemClock }, scan, policy)).toEqual({
      again: 0,
      held: 0,
    })
    expect((await ledger.standing())[0]).toMatchObject({ state: 'unconfirmed', looks: 1 })
  })
})

describeWithDatabase('a refused batch', () => {
  test('is split in halves until the row that the service objects to stands alone and fails', async () => {
    await using ledger = await openTestLedger()
    const bad = 5
    await ledger.publish(recipients(8))
    const issued = new Set<number>()
    const sizes: number[] = []
    for (let round = 0; round < 6; round++) {
      for (;;) {
        const attempt = await ledger.ledger.prepareAttempt('spring', 100)
        if (attempt === null) break
        const people = (await ledger.ledger.loadBatch(attempt))?.recipients.map((each) =>
          Number(each.Email?.match(/\d+/)),
        )
        await ledger.ledger.passDoor({
          attemptId: attempt,
          instance: crypto.randomUUID(),
          requestSha256: '',
          deadlineMs: 1,
        })
        sizes.push(people?.length ?? 0)
        const refused = people?.includes(bad)
        if (!refused) for (const n of people ?? []) issued.add(n)
        await ledger.answer(attempt, { class: refused ? 'refused' : 'accepted', words: 'Email is wrong' })
      }
      await look(ledger, issued)
      await look(ledger, issued)
    }
    expect(sizes).toEqual([8, 4, 4, 2, 2, 1, 1])
    expect(await ledger.states()).toEqual(
      Array.from({ length: 8 }, (_, index) => (index + 1 === bad ? 'failed' : 'issued')),
    )
    expect((await ledger.standing())[bad - 1]).toMatchObject({
      reason: 'the service refused it: Email is wrong',
      resends: 0,
      cap: 1,
    })
  })

  test('of which the report shows a part is not sent again', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(3))
    await ledger.answer(await ledger.send(), { class: 'refused' })
    for (let looks = 0; looks < 5; looks++) expect(await look(ledger, [2])).toEqual({ again: 0, held: 0 })
    expect(await ledger.states()).toEqual(['unconfirmed', 'issued', 'unconfirmed'])
  })
})
