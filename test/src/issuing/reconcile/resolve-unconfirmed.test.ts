// Resolving unknown outcomes in a real ledger: rows are found, sent once more, sent in halves, or held. Needs a
// database.

import { expect, test } from 'vitest'
import { resolveUnconfirmed } from '#src/issuing/reconcile/resolve-unconfirmed.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aPolicy, aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { hour, openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const policy = aPolicy()

/** Lets one grace period pass, and reads a report that shows the people `visible`. */
async function scanAndResolve(testLedger: TestLedger, visible: Iterable<number> = []) {
  await testLedger.timePasses(7 * hour)
  const items = [...visible].map((n) => aReportItem(aRecipient(n)))
  return resolveUnconfirmed(
    { ledger: testLedger.ledger, log: silentLog, clock: systemClock },
    await testLedger.scan(items),
    policy,
  )
}

/** A ledger in which person 1 was sent alone, and person 2 later, with these outcomes. */
async function openLedgerWith(...outcomes: ('unknown' | 'accepted')[]): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  await testLedger.publish(recipients(2))
  for (const outcome of outcomes) await testLedger.answer(await testLedger.send(1), { class: outcome })
  return testLedger
}

/** Person 2 shows whether the report is up to date when it does not show person 1. */
const openLedgerWithControl = () => openLedgerWith('unknown', 'accepted')

describeWithDatabase('a row whose outcome is unknown', () => {
  test('is sent again after two scans with a control, and is held if the outcome is unknown again', async () => {
    await using testLedger = await openLedgerWithControl()
    expect(await scanAndResolve(testLedger, [2])).toEqual({ resent: 0, held: 0 })
    expect(await testLedger.states()).toEqual(['unconfirmed', 'issued'])
    expect(await scanAndResolve(testLedger, [2])).toEqual({ resent: 1, held: 0 })
    expect(await testLedger.issuances()).toMatchObject([
      { state: 'pending', due: 'now', resends: 1, batchCap: null },
      {},
    ])
    await testLedger.answer(await testLedger.send(), { class: 'unknown' })
    expect(await scanAndResolve(testLedger, [2])).toEqual({ resent: 0, held: 0 })
    expect(await scanAndResolve(testLedger, [2])).toEqual({ resent: 0, held: 1 })
    expect((await testLedger.issuances())[0]).toMatchObject({
      state: 'held',
      reason: expect.stringContaining('second time'),
    })
  })

  test('is left as it is while the report shows items that cannot be distinguished', async () => {
    await using testLedger = await openLedgerWithControl()
    // Without an id, two equal items may be two requests, or one that moved to the next page during the scan.
    const alike = aReportItem(aRecipient(3), { entity_uuid: null })
    for (let looks = 0; looks < 3; looks++) {
      await testLedger.timePasses(7 * hour)
      const scan = await testLedger.scan([aReportItem(aRecipient(2)), alike, alike])
      expect(scan).toMatchObject({ complete: true, distinguishable: false })
      const tools = { ledger: testLedger.ledger, log: silentLog, clock: systemClock }
      expect(await resolveUnconfirmed(tools, scan, policy)).toEqual({ resent: 0, held: 0 })
    }
    expect(await testLedger.issuances()).toMatchObject([{ state: 'unconfirmed', looks: 0 }, { state: 'issued' }])
  })

  test('is resolved if the report shows it late', async () => {
    await using testLedger = await openLedgerWithControl()
    await scanAndResolve(testLedger, [2])
    await scanAndResolve(testLedger, [1, 2])
    expect(await testLedger.states()).toEqual(['issued', 'issued'])
    expect((await testLedger.issuances())[0]).toMatchObject({ resends: 0 })
  })

  test('is resolved if it appears in the report just before it is sent again, and its batch is dropped', async () => {
    await using testLedger = await openLedgerWithControl()
    await scanAndResolve(testLedger, [2])
    await scanAndResolve(testLedger, [2])
    const attempt = await prepareOne(testLedger.ledger, 'spring', 100)
    expect(attempt).not.toBeNull()
    await testLedger.scan([aReportItem(aRecipient(1)), aReportItem(aRecipient(2))])
    expect(await testLedger.states()).toEqual(['issued', 'issued'])
    expect(await testLedger.ledger.attempts.load(attempt ?? 0)).toBeNull()
    const [found] = await testLedger.ledger.issuances.explain({ id: 1 })
    expect(found?.history.map((line) => line.to).slice(-5)).toEqual([
      'pending',
      'unconfirmed',
      'requested',
      'in_progress',
      'issued',
    ])
  })

  test('is held if the item of the first call appears after the row was sent again', async () => {
    await using testLedger = await openLedgerWithControl()
    await scanAndResolve(testLedger, [2])
    await scanAndResolve(testLedger, [2])
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    const bothItems = ['late', 'again'].map((entity_uuid) => aReportItem(aRecipient(1), { entity_uuid }))
    await testLedger.scan(bothItems)
    expect((await testLedger.issuances())[0]).toMatchObject({ state: 'held', surplus: 1 })
  })

  test('waits without a control, and is held after eight scans', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(1))
    await testLedger.answer(await testLedger.send(), { class: 'unknown' })
    for (let looks = 1; looks < 8; looks++) expect(await scanAndResolve(testLedger)).toEqual({ resent: 0, held: 0 })
    expect(await scanAndResolve(testLedger)).toEqual({ resent: 0, held: 1 })
    expect(await testLedger.states()).toEqual(['held'])
  })

  test.each([
    ['was sent before it', 'accepted', 1],
    ['has an unknown outcome as well', 'unknown', 2],
  ] as const)('waits if the report shows only a row that %s', async (_, outcome, shown) => {
    await using testLedger = await openLedgerWith(outcome, 'unknown')
    for (let looks = 1; looks < 4; looks++)
      expect(await scanAndResolve(testLedger, [shown])).toEqual({ resent: 0, held: 0 })
  })

  test('waits, and is never sent again, if the report shows another row of its batch', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(3))
    await testLedger.answer(await testLedger.send(2), { class: 'unknown' })
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    for (let looks = 1; looks < 48; looks++)
      expect(await scanAndResolve(testLedger, [1, 3])).toEqual({ resent: 0, held: 0 })
    expect(await scanAndResolve(testLedger, [1, 3])).toEqual({ resent: 0, held: 1 })
    expect(await testLedger.states()).toEqual(['issued', 'held', 'issued'])
  })

  test('is not resolved by an incomplete scan', async () => {
    await using testLedger = await openLedgerWithControl()
    await scanAndResolve(testLedger, [2])
    await testLedger.timePasses(7 * hour)
    const scan = { ...(await testLedger.scan([aReportItem(aRecipient(2))])), complete: false }
    expect(
      await resolveUnconfirmed({ ledger: testLedger.ledger, log: silentLog, clock: systemClock }, scan, policy),
    ).toEqual({
      resent: 0,
      held: 0,
    })
    expect((await testLedger.issuances())[0]).toMatchObject({ state: 'unconfirmed', looks: 1 })
  })
})

describeWithDatabase('a refused batch', () => {
  test('is halved until the refused row is alone and fails', async () => {
    await using testLedger = await openTestLedger()
    const refusedPerson = 5
    await testLedger.publish(recipients(8))
    const issued = new Set<number>()
    const sizes: number[] = []
    for (let round = 0; round < 6; round++) {
      for (;;) {
        const attempt = await prepareOne(testLedger.ledger, 'spring', 100)
        if (attempt === null) break
        const people = (await testLedger.ledger.attempts.load(attempt))?.recipients.map((recipient) =>
          Number(recipient.Email?.match(/\d+/)),
        )
        await testLedger.ledger.attempts.claim({
          attemptId: attempt,
          instance: crypto.randomUUID(),
          requestSha256: '',
          deadlineMs: 1,
        })
        sizes.push(people?.length ?? 0)
        const refused = people?.includes(refusedPerson)
        if (!refused) for (const n of people ?? []) issued.add(n)
        await testLedger.answer(attempt, { class: refused ? 'refused' : 'accepted', words: 'Email is wrong' })
      }
      await scanAndResolve(testLedger, issued)
      await scanAndResolve(testLedger, issued)
    }
    expect(sizes).toEqual([8, 4, 4, 2, 2, 1, 1])
    expect(await testLedger.states()).toEqual(
      Array.from({ length: 8 }, (_, index) => (index + 1 === refusedPerson ? 'failed' : 'issued')),
    )
    expect((await testLedger.issuances())[refusedPerson - 1]).toMatchObject({
      reason: 'the service refused it: Email is wrong',
      resends: 0,
      batchCap: 1,
    })
  })

  test('that the report shows in part is not sent again', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(3))
    await testLedger.answer(await testLedger.send(), { class: 'refused' })
    for (let looks = 0; looks < 5; looks++)
      expect(await scanAndResolve(testLedger, [2])).toEqual({ resent: 0, held: 0 })
    expect(await testLedger.states()).toEqual(['unconfirmed', 'issued', 'unconfirmed'])
  })
})
