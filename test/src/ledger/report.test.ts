// What the report shows becomes claims and states: one item for one issuance, and never a step back.

import { expect, test } from 'vitest'
import type { ReportNews } from '#src/ledger/ledger.ts'
import type { ReportItemShown } from '#src/reconcile/read-item.ts'
import { aCourse, aRecipient, aReportItem, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const inQueue = { issued_status: 'Request inqueue', credential_id: null, issue_date: null }
const inProgress = { issued_status: 'Request inprogress', credential_id: null, issue_date: null }

/** One row that was sent, with an unknown outcome unless said otherwise. */
async function sentOne(kind: 'unknown' | 'accepted' = 'unknown'): Promise<TestLedger> {
  const ledger = await openTestLedger()
  await ledger.publish(recipients(1))
  await ledger.answer(await ledger.send(), { class: kind })
  return ledger
}

const shown = (more: Partial<ReportItemShown> = {}) => aReportItem(aRecipient(1), more)

async function one(of: TestLedger) {
  const [standing] = await of.standing()
  if (!standing) throw new Error('There is no issuance.')
  return standing
}

describeWithDatabase('an item of the report', () => {
  test('takes its row along every step, and tells the history each of them', async () => {
    await using ledger = await sentOne()
    await ledger.scan([shown()])
    expect(await one(ledger)).toMatchObject({
      state: 'issued',
      credential: 'credential-of-person.1@example.org',
      entity: 'entity-of-person.1@example.org',
      label: 'Request Completed',
    })
    const [life] = await ledger.ledger.explain({ id: 1 })
    expect(life?.history.map((line) => line.to)).toEqual([
      'pending',
      'sending',
      'unconfirmed',
      'requested',
      'in_progress',
      'issued',
    ])
    expect(await ledger.one('SELECT count(*) AS open FROM attempt_item WHERE open')).toEqual({ open: 0 })
  })

  test('is followed from scan to scan; seen twice it writes nothing twice', async () => {
    await using ledger = await sentOne('accepted')
    for (const more of [inQueue, inQueue, inProgress, inProgress, {}, {}]) await ledger.scan([shown(more)])
    expect(await one(ledger)).toMatchObject({ state: 'issued', surplus: 0 })
    const [life] = await ledger.ledger.explain({ id: 1 })
    expect(life?.history.filter((line) => line.event === 'report').map((line) => line.to)).toEqual([
      'in_progress',
      'issued',
    ])
  })

  test('takes nothing back: an earlier status after a later one leaves the state', async () => {
    await using ledger = await sentOne()
    await ledger.scan([shown()])
    for (const more of [inQueue, inProgress, { issued_status: 'Request failed' }, { issued_status: null }]) {
      await ledger.scan([shown(more)])
      expect(await one(ledger)).toMatchObject({ state: 'issued', credential: 'credential-of-person.1@example.org' })
    }
  })

  test('with a status nobody knows changes no state, and is shown', async () => {
    await using ledger = await sentOne('accepted')
    await ledger.scan([shown({ issued_status: 'Request postponed' })])
    expect(await one(ledger)).toMatchObject({ state: 'requested', label: 'Request postponed' })
    await ledger.scan([shown({ issued_status: 'Request paused' })])
    expect(await one(ledger)).toMatchObject({ state: 'requested', label: 'Request paused' })
    expect(await ledger.one('SELECT unknown FROM scan ORDER BY id DESC LIMIT 1')).toEqual({ unknown: 1 })
  })

  test('that is completed is issued only when it has a credential', async () => {
    await using ledger = await sentOne()
    await ledger.scan([shown({ credential_id: null })])
    expect(await one(ledger)).toMatchObject({ state: 'in_progress', label: 'Request Completed' })
    await ledger.scan([shown()])
    expect(await one(ledger)).toMatchObject({ state: 'issued' })
  })

  test('shows its link when it has one, also after it was issued', async () => {
    await using ledger = await sentOne()
    await ledger.scan([shown()])
    await ledger.scan([shown({ public_verifier_link: 'https://verify.example.org/1' })])
    expect(await one(ledger)).toMatchObject({ state: 'issued', link: 'https://verify.example.org/1' })
    await ledger.scan([shown({ revoked_date: '2026-03-02' })])
    expect(await one(ledger)).toMatchObject({ state: 'revoked', link: 'https://verify.example.org/1' })
  })

  test('that is revoked is revoked', async () => {
    await using ledger = await sentOne()
    await ledger.scan([shown()])
    await ledger.scan([shown({ revoked_date: '2026-03-02' })])
    expect(await one(ledger)).toMatchObject({ state: 'revoked' })
  })

  test('that was there before the first sending is never ours', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.scan([shown()])
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    await ledger.scan([shown()])
    expect(await one(ledger)).toMatchObject({ state: 'unconfirmed', surplus: 0 })
    await ledger.scan([shown(), shown({ entity_uuid: 'ours', credential_id: 'C-2' })])
    expect(await one(ledger)).toMatchObject({ state: 'issued', entity: 'ours', surplus: 0 })
  })

  test('that was there before the first sending is known again when it has an id of its own', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.scan([shown({ ...inQueue, entity_uuid: null })])
    await ledger.answer(await ledger.send(), { class: 'unknown' })
    await ledger.scan([shown()])
    expect(await one(ledger)).toMatchObject({ state: 'unconfirmed' })
  })

  test('is not taken while the call is under way', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    const attempt = await ledger.send()
    await ledger.scan([shown()])
    expect(await one(ledger)).toMatchObject({ state: 'sending', surplus: 0 })
    await ledger.answer(attempt, { class: 'accepted' })
    await ledger.scan([shown()])
    expect(await one(ledger)).toMatchObject({ state: 'issued' })
  })

  test('that shows another person holds the row, and says by which field', async () => {
    await using ledger = await sentOne()
    await ledger.scan([shown({ fname: 'Bob' })])
    expect(await one(ledger)).toMatchObject({ state: 'held', reason: expect.stringContaining('First Name') })
    await ledger.scan([shown()])
    expect(await one(ledger)).toMatchObject({ state: 'held' })
  })

  test('with a date that no calendar has is read all the same', async () => {
    await using ledger = await sentOne()
    await ledger.scan([shown({ request_date: '0000-00-00' })])
    expect(await one(ledger)).toMatchObject({ state: 'issued' })
  })
})

const toHeld = { to: 'held', event: 'test', reason: 'test', evidence: {}, fields: null } as const
const noNews: ReportNews = { claims: [], upgrades: [], moves: [], shown: [], surplus: [], certificateNames: [] }

describeWithDatabase('a claim', () => {
  test('by fingerprint is upgraded when the item has an id, and is still one item', async () => {
    await using ledger = await sentOne()
    await ledger.scan([shown({ ...inQueue, entity_uuid: null })])
    expect((await ledger.one<{ item_key: string }>('SELECT item_key FROM claim')).item_key).toMatch(/^fp-/)
    await ledger.scan([shown(inQueue)])
    expect(await ledger.one('SELECT item_key FROM claim')).toEqual({ item_key: 'entity-of-person.1@example.org' })
    expect(await one(ledger)).toMatchObject({
      state: 'requested',
      entity: 'entity-of-person.1@example.org',
      surplus: 0,
    })
    await ledger.scan([shown()])
    expect(await one(ledger)).toMatchObject({ state: 'issued', surplus: 0 })
  })

  test('is of one item and one issuance: whoever comes second gets nothing', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    const claim = (issuanceId: number, key: string) =>
      ledger.ledger.applyReport({ ...noNews, claims: [{ issuanceId, state: 'requested', key, fingerprint: 'f' }] })
    const all = await Promise.all([claim(1, 'x'), claim(2, 'x'), claim(1, 'y'), claim(2, 'x'), claim(1, 'x')])
    expect(all.reduce((sum, each) => sum + each.claimed, 0)).toBeLessThanOrEqual(2)
    expect(await claim(2, 'x')).toMatchObject({ claimed: 0 })
    const { rows } = await ledger.database.query('SELECT item_key, issuance_id FROM claim')
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
  })

  test('that came second moves nothing', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    const news = (id: number): ReportNews => ({
      ...noNews,
      claims: [{ issuanceId: id, state: 'requested', key: 'x', fingerprint: 'f' }],
      moves: [{ id, from: 'requested', ...toHeld }],
    })
    expect(await ledger.ledger.applyReport(news(1))).toMatchObject({ claimed: 1, moved: 1 })
    expect(await ledger.ledger.applyReport(news(2))).toMatchObject({ claimed: 0, moved: 0 })
    expect(await ledger.states()).toEqual(['held', 'requested'])
  })
})

describeWithDatabase('a claim for a row that has moved since it was judged', () => {
  test('does not stand: its door was passed meanwhile, and what comes of that is judged with the next reading', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    const late = { issuanceId: 1, state: 'pending' as const, key: 'x', fingerprint: 'f' }
    await ledger.send()
    expect(await ledger.ledger.applyReport({ ...noNews, claims: [late] })).toMatchObject({ claimed: 0 })
    expect(await ledger.states()).toEqual(['sending'])
    expect(await ledger.one('SELECT count(*) AS claims FROM claim')).toEqual({ claims: 0 })
  })
})

describeWithDatabase('a move', () => {
  test('from a state in which the row no longer is does nothing', async () => {
    await using ledger = await sentOne('accepted')
    const moves = [{ id: 1, from: 'in_progress' as const, ...toHeld }]
    expect(await ledger.ledger.applyReport({ ...noNews, moves })).toMatchObject({ moved: 0 })
    expect(await ledger.states()).toEqual(['requested'])
  })
})

describeWithDatabase('the name of a course', () => {
  const nameOf = (ledger: TestLedger) =>
    ledger.one<{ name: string }>('SELECT certificate_name AS name FROM course WHERE course_uuid = $1', [aCourse])

  test('is learned from items that agree, and then tells courses apart', async () => {
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

  test('is learned once: what comes later does not change it', async () => {
    await using ledger = await openTestLedger()
    for (const name of ['Welding', 'Cooking'])
      await ledger.ledger.applyReport({ ...noNews, certificateNames: [[aCourse, name]] })
    expect(await nameOf(ledger)).toEqual({ name: 'Welding' })
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
