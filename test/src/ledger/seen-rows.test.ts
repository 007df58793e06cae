// Decisions about what a person saw on a page: what has moved since then is left as it is. Also which rows a page offers.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { RowMovedError } from '#src/ledger/operator-decision.ts'
import { correctionOf } from '#test/guarantees/interleavings/scene.ts'
import { addRun } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const decision = { by: 'Ada', why: 'looked it up in the portal' }
/** With microseconds, which no page shows. */
const since = (minute: number) => `2026-03-01T10:0${minute}:00.123456Z`
const seenSince = (minute: number) => new Date(`2026-03-01T10:0${minute}:00.123Z`)

/** Rows in this state, each since another minute: the first since 10:01. */
async function openRows(count: number, state: 'held' | 'failed'): Promise<{ ledger: TestLedger; run: string }> {
  const ledger = await openTestLedger()
  const run = await ledger.publish(recipients(count))
  await withoutTriggers(
    ledger.database,
    `UPDATE issuance SET state = $1, reason = 'It differs.', attempt_id = 1, state_since = $2::timestamptz + id * interval '1 min'`,
    [state, since(0)],
  )
  return { ledger, run }
}

const seen = new Map([
  [1, seenSince(1)],
  [2, new Date(seenSince(2).getTime() - 1)],
  [3, seenSince(3)],
])

describeWithDatabase('of rows that a person saw', () => {
  test.each(['sent', 'not sent'] as const)('only those are decided that have not moved since: %s', async (answer) => {
    const { ledger: opened } = await openRows(4, 'held')
    await using ledger = opened
    expect(await ledger.ledger.decisions.resolve([1, 2, 4], answer, decision, seen)).toEqual([1])
    const to = answer === 'sent' ? 'requested' : 'pending'
    expect(await ledger.states()).toEqual([to, 'held', 'held', 'held'])
    expect(await ledger.ledger.decisions.resolve([1], answer, decision, seen)).toEqual([])
  })

  test('only those are sent again that have not moved since', async () => {
    const { ledger: opened, run } = await openRows(4, 'failed')
    await using ledger = opened
    expect(await ledger.ledger.decisions.retry({ ids: [1, 2, 4] }, decision, seen)).toEqual([1])
    expect(await ledger.ledger.decisions.retry({ run, until: seenSince(3) }, decision)).toEqual([2, 3])
    expect(await ledger.states()).toEqual(['pending', 'pending', 'pending', 'failed'])
  })

  test('only those are corrected that have not moved since', async () => {
    const { ledger: opened } = await openRows(2, 'failed')
    await using ledger = opened
    const correct = (id: number) => ledger.ledger.decisions.correct(id, correctionOf(ledger, id), decision, seen)
    expect([await correct(2), await correct(1), await correct(1)]).toEqual([false, true, false])
  })
})

describeWithDatabase('a braked run that a person saw', () => {
  test.each(['approve', 'reject'] as const)('is left as it is if it was braked again since: %s', async (choice) => {
    await using ledger = await openTestLedger()
    const { brake } = ledger.ledger
    const id = await addRun(ledger.database, 'list.csv', { state: 'braked', braked_at: since(2) })
    expect((await brake.since(id))?.toISOString()).toBe(seenSince(2).toISOString())
    expect(await brake[choice](id, decision, seenSince(1))).toBe(false)
    expect(await brake.since(id)).not.toBeNull()
    const production = await openWholeLedger(ledger.database, 'production')
    expect(await production.brake.since(id)).toBeNull()
    expect(await brake[choice](id, decision, seenSince(2))).toBe(true)
    expect(await brake.since(id)).toBeNull()
    expect(await brake[choice](id, decision, seenSince(2))).toBe(false)
  })
})

describeWithDatabase('a credential that a person saw', () => {
  async function openIssued(): Promise<TestLedger> {
    const ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await withoutTriggers(
      ledger.database,
      `UPDATE issuance SET state = 'issued', credential_id = 'C-' || id, state_since = $1`,
      [since(1)],
    )
    return ledger
  }
  const wants = (
    ledger: TestLedger,
    saw: { stateSince: Date | null; revocation: number | null },
    more: { corrects?: boolean; issuanceId?: number | null } = {},
  ) =>
    ledger.ledger.revocations.request({
      ...{ credentialId: 'C-1', issuanceId: more.issuanceId === undefined ? 1 : more.issuanceId, decision, seen: saw },
      correction: more.corrects ? correctionOf(ledger, 1) : null,
    })
  const wanted = (ledger: TestLedger) =>
    ledger.queryOne<{ n: number }>('SELECT count(*)::int AS n FROM revocation').then(({ n }) => n)

  test('is revoked once, and not if it is in another state since', async () => {
    await using ledger = await openIssued()
    const { stateSince } = (await ledger.ledger.revocations.targets({ issuances: [1], credentials: [] }))[0] ?? {}
    expect(stateSince?.toISOString()).toBe(seenSince(1).toISOString())
    await expect(wants(ledger, { stateSince: seenSince(2), revocation: null })).rejects.toThrow(RowMovedError)
    expect(await wanted(ledger)).toBe(0)
    const saw = { stateSince: seenSince(1), revocation: null }
    expect(await wants(ledger, saw)).toMatchObject({ id: 1, status: 'new' })
    expect(await wants(ledger, saw)).toMatchObject({ id: 1, status: 'open' })
    expect(await ledger.ledger.revocations.lastOf('C-1')).toMatchObject({ id: 1, state: 'wanted' })
  })

  test('is not revoked again because of a page that did not show the last revocation', async () => {
    await using ledger = await openIssued()
    const saw = { stateSince: seenSince(1), revocation: null }
    for (const _ of ['first', 'second']) {
      const last = await ledger.ledger.revocations.lastOf('C-1')
      await wants(ledger, { ...saw, revocation: last?.id ?? null })
      await ledger.database.query(`UPDATE revocation SET state = 'refused'`)
      await expect(wants(ledger, saw)).rejects.toThrow('i1 has changed since you saw it. Nothing was changed.')
    }
    await expect(wants(ledger, { ...saw, revocation: 1 })).rejects.toThrow(RowMovedError)
    expect(await wanted(ledger)).toBe(2)
    const production = await openWholeLedger(ledger.database, 'production')
    expect(await production.revocations.lastOf('C-1')).toBeNull()
    expect(await ledger.ledger.revocations.lastOf('C-2')).toBeNull()
  })

  test('is not corrected beside a revocation that the page did not show', async () => {
    await using ledger = await openIssued()
    const saw = { stateSince: seenSince(1), revocation: null }
    await wants(ledger, saw)
    await expect(wants(ledger, saw, { corrects: true })).rejects.toThrow(RowMovedError)
    expect(await wants(ledger, { ...saw, revocation: 1 }, { corrects: true })).toMatchObject({ status: 'joined' })
    expect(await wants(ledger, saw, { corrects: true })).toMatchObject({ status: 'open', sameData: true })
  })

  test('may be unknown to the ledger', async () => {
    await using ledger = await openIssued()
    expect(await wants(ledger, { stateSince: null, revocation: null }, { issuanceId: null })).toMatchObject({ id: 1 })
    await ledger.database.query(`UPDATE revocation SET state = 'refused'`)
    await expect(wants(ledger, { stateSince: null, revocation: null }, { issuanceId: null })).rejects.toThrow(
      'C-1 has changed',
    )
  })
})

describeWithDatabase('a page offers', () => {
  test('the held rows of its pipelines, or one of them', async () => {
    const { ledger: opened } = await openRows(4, 'held')
    await using ledger = opened
    await withoutTriggers(ledger.database, `UPDATE issuance SET pipeline = 'autumn' WHERE id = 4`)
    const ids = async (part: Parameters<TestLedger['ledger']['decisions']['heldRows']>[0]) =>
      (await ledger.ledger.decisions.heldRows(part)).map(({ id }) => id)
    expect(await ids({ scope: null, limit: 9, id: 3 })).toEqual([3])
    expect(await ids({ scope: ['autumn'], limit: 9, id: 3 })).toEqual([])
  })
})
