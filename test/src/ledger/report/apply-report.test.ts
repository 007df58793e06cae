// What the report shows becomes claims and states: each item belongs to one issuance, and no state is ever reverted.

import { expect, test } from 'vitest'
import type { ItemAsShown } from '#src/issuing/reconcile/read-report-item.ts'
import type { ReportChanges } from '#src/ledger/report/apply-report.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const inQueue = { issued_status: 'Request inqueue', credential_id: null, issue_date: null }
const inProgress = { issued_status: 'Request inprogress', credential_id: null, issue_date: null }

/** A ledger with one row that was sent, by default with an unknown outcome. */
async function openSentOne(kind: 'unknown' | 'accepted' = 'unknown'): Promise<TestLedger> {
  const ledger = await openTestLedger()
  await ledger.publish(recipients(1))
  await ledger.answer(await ledger.send(), { class: kind })
  return ledger
}

const shown = (more: Partial<ItemAsShown> = {}) => aReportItem(aRecipient(1), more)

async function onlyIssuance(testLedger: TestLedger) {
  const [issuance] = await testLedger.issuances()
  if (!issuance) throw new Error('There is no issuance.')
  return issuance
}

describeWithDatabase('an item of the report', () => {
  test('moves its row through every step, and each step is recorded in the history', async () => {
    await using ledger = await openSentOne()
    await ledger.scan([shown()])
    expect(await onlyIssuance(ledger)).toMatchObject({
      state: 'issued',
      credential: 'credential-of-person.1@example.org',
      entity: 'entity-of-person.1@example.org',
      label: 'Request Completed',
    })
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained?.history.map((line) => line.to)).toEqual([
      'pending',
      'sending',
      'unconfirmed',
      'requested',
      'in_progress',
      'issued',
    ])
    expect(await ledger.queryOne('SELECT count(open_attempt) AS open FROM issuance')).toEqual({ open: 0 })
  })

  test('is followed from scan to scan, and writes nothing while it is unchanged', async () => {
    await using ledger = await openSentOne('accepted')
    for (const more of [inQueue, inQueue, inProgress, inProgress, {}, {}]) await ledger.scan([shown(more)])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'issued', surplus: 0 })
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained?.history.filter((line) => line.event === 'report').map((line) => line.to)).toEqual([
      'in_progress',
      'issued',
    ])
  })

  test('with an unknown status changes no state, and is shown', async () => {
    await using ledger = await openSentOne('accepted')
    await ledger.scan([shown({ issued_status: 'Request postponed' })])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'requested', label: 'Request postponed' })
    await ledger.scan([shown({ issued_status: 'Request paused' })])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'requested', label: 'Request paused' })
    expect(await ledger.queryOne('SELECT unknown FROM scan ORDER BY id DESC LIMIT 1')).toEqual({ unknown: 1 })
  })

  test('that gets its link after it was issued updates the issuance', async () => {
    await using ledger = await openSentOne()
    await ledger.scan([shown()])
    await ledger.scan([shown({ public_verifier_link: 'https://verify.example.org/1' })])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'issued', link: 'https://verify.example.org/1' })
    await ledger.scan([shown({ revoked_date: '2026-03-02' })])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'revoked', link: 'https://verify.example.org/1' })
  })

  test('that existed before the first call never belongs to the row', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.scan([shown()])
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    await ledger.scan([shown()])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'unconfirmed', surplus: 0 })
    await ledger.scan([shown(), shown({ entity_uuid: 'ours', credential_id: 'C-2' })])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'issued', entity: 'ours', surplus: 0 })
  })

  test('that existed before the first call is recognized when it gets an id', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.scan([shown({ ...inQueue, entity_uuid: null })])
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    await ledger.scan([shown()])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'unconfirmed' })
  })
})

const toHeld = { to: 'held', event: 'test', reason: 'test', evidence: {}, fields: null } as const
const noChanges: ReportChanges = { claims: [], upgrades: [], moves: [], shown: [], surplus: [], certificateNames: [] }

describeWithDatabase('a claim', () => {
  test('by fingerprint is upgraded when the item gets an id, and remains one item', async () => {
    await using ledger = await openSentOne()
    await ledger.scan([shown({ ...inQueue, entity_uuid: null })])
    expect((await ledger.queryOne<{ item_key: string }>('SELECT item_key FROM report_claim')).item_key).toMatch(/^fp-/)
    await ledger.scan([shown(inQueue)])
    expect(await ledger.queryOne('SELECT item_key FROM report_claim')).toEqual({
      item_key: 'entity-of-person.1@example.org',
    })
    expect(await onlyIssuance(ledger)).toMatchObject({
      state: 'requested',
      entity: 'entity-of-person.1@example.org',
      surplus: 0,
    })
    await ledger.scan([shown()])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'issued', surplus: 0 })
  })

  test('belongs to one item and one issuance: a second claim fails', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    const claim = (issuanceId: number, key: string) =>
      ledger.ledger.report.apply({ ...noChanges, claims: [{ issuanceId, state: 'requested', key, fingerprint: 'f' }] })
    const all = await Promise.all([claim(1, 'x'), claim(2, 'x'), claim(1, 'y'), claim(2, 'x'), claim(1, 'x')])
    expect(all.reduce((sum, each) => sum + each.claimed, 0)).toBeLessThanOrEqual(2)
    expect(await claim(2, 'x')).toMatchObject({ claimed: 0 })
    const { rows } = await ledger.database.query('SELECT item_key, issuance_id FROM report_claim')
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
  })

  test('that fails leaves the state unchanged', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    const changesFor = (id: number): ReportChanges => ({
      ...noChanges,
      claims: [{ issuanceId: id, state: 'requested', key: 'x', fingerprint: 'f' }],
      moves: [{ id, from: 'requested', ...toHeld }],
    })
    expect(await ledger.ledger.report.apply(changesFor(1))).toMatchObject({ claimed: 1, moved: 1 })
    expect(await ledger.ledger.report.apply(changesFor(2))).toMatchObject({ claimed: 0, moved: 0 })
    expect(await ledger.states()).toEqual(['held', 'requested'])
  })
})

describeWithDatabase('a claim for a row that has changed state since the decision', () => {
  test('fails if the row is being sent, and the next scan decides', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    const late = { issuanceId: 1, state: 'pending' as const, key: 'x', fingerprint: 'f' }
    await ledger.send()
    expect(await ledger.ledger.report.apply({ ...noChanges, claims: [late] })).toMatchObject({ claimed: 0 })
    expect(await ledger.states()).toEqual(['sending'])
    expect(await ledger.queryOne('SELECT count(*) AS claims FROM report_claim')).toEqual({ claims: 0 })
  })
})

describeWithDatabase('a move', () => {
  test('from a state that the row has left does nothing', async () => {
    await using ledger = await openSentOne('accepted')
    const moves = [{ id: 1, from: 'in_progress' as const, ...toHeld }]
    expect(await ledger.ledger.report.apply({ ...noChanges, moves })).toMatchObject({ moved: 0 })
    expect(await ledger.states()).toEqual(['requested'])
  })
})

describeWithDatabase('the name of a course', () => {
  const nameOf = (ledger: TestLedger) =>
    ledger.queryOne<{ name: string }>('SELECT certificate_name AS name FROM course WHERE course_uuid = $1', [aCourse])

  test('is learned from items that agree, and distinguishes courses from then on', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(3))
    await ledger.answer(await ledger.send(2), { class: 'accepted' })
    await ledger.scan(recipients(2).map((person) => aReportItem(person)))
    expect(await nameOf(ledger)).toEqual({ name: 'Welding' })
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    await ledger.scan([aReportItem(aRecipient(3), { certificate_name: 'Cooking' })])
    expect(await ledger.states()).toEqual(['issued', 'issued', 'unconfirmed'])
    await ledger.scan([aReportItem(aRecipient(3))])
    expect(await ledger.states()).toEqual(['issued', 'issued', 'issued'])
  })

  test('is not learned while items disagree', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan(recipients(2).map((person, n) => aReportItem(person, { certificate_name: `Name ${n}` })))
    expect(await ledger.states()).toEqual(['issued', 'issued'])
    expect(await nameOf(ledger)).toBeUndefined()
  })
})

describeWithDatabase('an item whose row a person decides about while its page is read', () => {
  test('is not counted as a second one, and is taken by the next scan', async () => {
    await using ledger = await openSentOne('accepted')
    const differs = shown({ lname: 'Somebody-Else' })
    await ledger.scan([differs])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'held' })
    // The page was read in two steps: the row with its item before the decision, and the items that rows have after it.
    const key = String(differs.entity_uuid)
    await ledger.ledger.decisions.resolve([1], 'sent', { by: 'ada', why: 'in the portal' })
    await ledger.ledger.report.apply({ ...noChanges, surplus: [{ issuanceId: 1, key, fingerprint: key }] })
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'requested', surplus: 0 })
    await ledger.scan([differs])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'issued', surplus: 0 })
  })

  test('does not hide one that really is a second one', async () => {
    await using ledger = await openSentOne('accepted')
    await ledger.scan([shown()])
    const second = { issuanceId: 1, key: 'another', fingerprint: 'another' }
    await ledger.ledger.report.apply({ ...noChanges, surplus: [second] })
    await ledger.ledger.report.apply({ ...noChanges, surplus: [second] })
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'issued', surplus: 1 })
  })
})
