// An adoption beside what the ledger knows already, and what becomes of the adopted afterwards.

import { expect, test } from 'vitest'
import { AdoptionOvertakenError } from '#src/ledger/adoption-overtaken-error.ts'
import { aRecipient, aReportItem, byPrimaryValue, otherCourse, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'
import { adopted, itemOf, of } from './people.ts'

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

async function changed(ledger: TestLedger, list: Parameters<TestLedger['publish']>[0]) {
  const run = await ledger.publish(list, { rule: byPrimaryValue })
  const fields: (string[] | null)[] = []
  await ledger.ledger.readResultRows(run, ['accepted', 'skipped'], async (rows) => {
    for (const row of rows) fields.push(row.outcome === 'accepted' ? ['accepted'] : row.changedFields)
  })
  return fields
}

describeWithDatabase('an adoption', () => {
  test('gives a row that waits to be sent what the report has for its person: it does not go out', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(3))
    const attempt = await ledger.ledger.prepareAttempt('spring', 3)
    const tally = await adopted(ledger.ledger, [
      itemOf(1),
      itemOf(2, { issued_status: 'Request inqueue', credential_id: null }),
    ])
    expect(tally).toMatchObject({ adopted: 0, taken: 2, foretold: 2, left: [] })
    expect(await ledger.states()).toEqual(['issued', 'requested', 'pending'])
    expect(
      await ledger.ledger.passDoor({
        attemptId: attempt ?? 0,
        instance: crypto.randomUUID(),
        requestSha256: 's',
        deadlineMs: 9,
      }),
    ).toBeFalsy()
    const life = await ledger.ledger.explain({ id: 1 })
    expect(life[0]?.history.map(({ event, to }) => [event, to])).toEqual([
      ['accepted', 'pending'],
      ...['unconfirmed', 'requested', 'in_progress', 'issued'].map((to) => ['adopted from the report', to]),
    ])
    // The data are those of the list, so a list with others is a correction.
    expect(await changed(ledger, [{ ...aRecipient(1), 'Birth Date': '1990-01-01' }])).toEqual([['Birth Date']])
  })

  test('gives a failed row the credential that somebody issued by hand, so that nobody sends it again', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    await ledger.answer(await ledger.send(1), { class: 'accepted' })
    await ledger.scan([itemOf(2, { issued_status: 'Request Failed', credential_id: null })])
    expect(await ledger.states()).toEqual(['failed', 'failed'])
    const items = [itemOf(1), itemOf(2, { issued_status: 'Request Failed', credential_id: null }), itemOf(2, {}, 2)]
    expect(await adopted(ledger.ledger, items)).toMatchObject({ taken: 2, takenByFailed: 2, surplus: 0, foretold: 2 })
    expect(await ledger.states()).toEqual(['issued', 'issued'])
    expect((await ledger.standing()).map((each) => [each.entity, each.surplus])).toEqual([
      ['entity-1-1', 0],
      ['entity-2-2', 0],
    ])
    expect(await ledger.ledger.retryFailed({ ids: [1, 2] }, { by: 'ada', why: '' })).toEqual([])
    await ledger.scan(items)
    expect((await ledger.standing()).map((each) => each.surplus)).toEqual([0, 0])
    expect(await adopted(ledger.ledger, items)).toMatchObject({ taken: 0, known: 3, recounted: 0 })
  })

  test('keeps a failed row with another item beside it from being sent, until that is worth nothing any more', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(1), { class: 'accepted' })
    const failure = itemOf(1, { issued_status: 'Request Failed', credential_id: null })
    await ledger.scan([failure])
    await ledger.scan([failure, itemOf(1, {}, 2)])
    expect((await ledger.standing())[0]).toMatchObject({ state: 'failed', surplus: 1 })
    const decision = { by: 'ada', why: '' }
    expect(await ledger.ledger.retryFailed({ ids: [1] }, decision)).toEqual([])
    expect((await ledger.ledger.issuanceStates([1])).get(1)).toMatchObject({ beside: 1 })
    const revoked = itemOf(1, { revoked_date: '2026-11-01' }, 2)
    expect(await adopted(ledger.ledger, [failure, revoked])).toMatchObject({ taken: 0, recounted: 1 })
    expect(await ledger.ledger.retryFailed({ ids: [1] }, decision)).toEqual([1])
  })

  test('leaves to the reconciler what may be the item of a row on its way, and to a person what a person decided', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    const attempt = await ledger.send(1)
    await ledger.answer(attempt, { class: 'accepted' })
    const under = await ledger.send(1)
    const items = [itemOf(1), itemOf(2), itemOf(3)]
    expect(await adopted(ledger.ledger, items)).toMatchObject({
      adopted: 1,
      left: ['i1 is under way, and one of them may be its own', 'i2 is under way, and one of them may be its own'],
    })
    await ledger.answer(under, { class: 'refused' })
    await ledger.ledger.retryFailed({ ids: [2] }, { by: 'ada', why: '' })
    expect((await adopted(ledger.ledger, items)).left).toContain('i2 waits to be sent again')
    await ledger.scan([itemOf(1)])
    expect(await adopted(ledger.ledger, [itemOf(1), itemOf(1, {}, 2), itemOf(3)])).toMatchObject({
      known: 2,
      surplus: 1,
    })
    expect((await ledger.standing())[0]).toMatchObject({ state: 'issued', surplus: 1 })
  })

  test('leaves an item that a row of another key may own, unless it was seen before that row was sent', async () => {
    await using ledger = await openTestLedger()
    const rule = { ...byPrimaryValue, identity: ['Register Number'] }
    const people = [1, 2].map((n) => aRecipient(n, { 'Register Number': `R${n}` }))
    await ledger.publish(people, { rule })
    await ledger.scan([itemOf(1)])
    await ledger.send()
    expect(await adopted(ledger.ledger, [itemOf(1), itemOf(2)])).toMatchObject({
      adopted: 1,
      left: ['it may be the one that i2 waits for'],
    })
    expect(await ledger.one('SELECT item_key FROM claim')).toEqual({ item_key: 'entity-1-1' })
  })

  test('takes no credential that the ledger has for another course, and what it noted beside one', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1), { course: otherCourse })
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([itemOf(1), itemOf(1, {}, 2)])
    await ledger.scan([itemOf(1), itemOf(1, {}, 2)])
    expect((await ledger.standing())[0]).toMatchObject({ entity: 'entity-1-1', surplus: 1 })
    expect(await adopted(ledger.ledger, [itemOf(1), itemOf(1, {}, 2)])).toMatchObject({
      adopted: 1,
      left: ['the ledger has it as a credential of another course'],
    })
    const { claimed } = await ledger.one<{ claimed: string[] }>(
      'SELECT array_agg(item_key ORDER BY 1) AS claimed FROM claim',
    )
    expect(claimed).toEqual(['entity-1-1', 'entity-1-2'])
  })

  test('that was cut off goes on in the same run, adopts nobody twice, and settles without a results file', async () => {
    await using ledger = await openTestLedger()
    const items = Array.from({ length: 1_200 }, (_, index) => itemOf(index + 1))
    const stop = new AbortController()
    const { adoptions, hasher } = ledger.ledger
    const cut: typeof adoptions = {
      ...adoptions,
      write: (...all) => adoptions.write(...all).finally(() => stop.abort()),
    }
    expect(await adopted({ adoptions: cut, hasher }, items, stop.signal)).toMatchObject({
      adopted: 500,
      foretold: 1_200,
    })
    const [open] = await ledger.ledger.listRuns()
    expect(open).toMatchObject({
      rows: 500,
      accepted: 500,
      settledAt: null,
      notices: [expect.stringContaining('not finished')],
    })
    expect(await ledger.ledger.settleRuns()).toEqual([])
    expect(await adopted(ledger.ledger, items)).toMatchObject({ adopted: 700, known: 500 })
    expect(await adoptions.finish(of, ['whole'])).toBe(open?.id)
    expect(await ledger.ledger.settleRuns()).toEqual([open?.id])
    expect(await ledger.ledger.wantedVersion(open?.id ?? '')).toBeNull()
    expect(await ledger.ledger.recentSizes('spring')).toEqual([])
    const list = await ledger.publish([aRecipient(1), aRecipient(1_201)])
    expect(await ledger.ledger.findRun(list)).toMatchObject({ accepted: 1, known: 1, gone: 0, lastList: null })
  })

  test('is decided anew when somebody else was faster, and gives up when that goes on', async () => {
    await using ledger = await openTestLedger()
    const { adoptions, hasher } = ledger.ledger
    const before = await adoptions.standing(of.course, { issuanceKeys: [], itemKeys: [], hashes: [] })
    await adopted(ledger.ledger, [itemOf(2)])
    /** As if it had looked before the other one wrote, so many times. */
    const late = (times: number): typeof adoptions => ({
      ...adoptions,
      write: (whose, about, decide) => adoptions.write(whose, about, (now) => decide(times-- > 0 ? before : now)),
    })
    await expect(adopted({ adoptions: late(3), hasher }, [itemOf(1), itemOf(2)])).rejects.toThrow(
      AdoptionOvertakenError,
    )
    expect(await ledger.states()).toEqual(['issued'])
    expect(await adopted({ adoptions: late(2), hasher }, [itemOf(1), itemOf(2)])).toMatchObject({
      adopted: 1,
      known: 1,
    })
    expect(await ledger.states()).toEqual(['issued', 'issued'])
  })

  test('of what is not final yet is followed, also far back, and what then fails is not sent as the part that is known', async () => {
    await using ledger = await openTestLedger()
    const asked = { issued_status: 'Request inprogress', credential_id: null, request_date: dayBefore(90) }
    await adopted(ledger.ledger, [
      itemOf(1, asked),
      itemOf(2, asked),
      itemOf(3, { issued_status: 'Request rejected' }, 2),
      itemOf(3),
    ])
    expect((await ledger.ledger.readWatch()).sinceAll).toBe(dayBefore(91))
    await ledger.ledger.adoptions.finish(of, [])
    await ledger.scan([
      itemOf(1),
      itemOf(2, { ...asked, issued_status: 'Request failed' }),
      itemOf(3, { issued_status: 'Request rejected' }, 2),
      itemOf(3),
    ])
    expect(await ledger.states()).toEqual(['issued', 'failed', 'issued'])
    // An item that was refused beside the credential is no second credential.
    expect((await ledger.standing()).map(({ surplus }) => surplus)).toEqual([0, 0, 0])
    expect(await ledger.ledger.retryFailed({ ids: [2] }, { by: 'ada', why: '' })).toEqual([])
    expect(await ledger.ledger.settleRuns()).toHaveLength(1)
  })

  test('holds only what the report shows: a list that says more, or the same in other letters, is known', async () => {
    await using ledger = await openTestLedger()
    await adopted(ledger.ledger, [
      aReportItem(aRecipient(1, { 'Contact Number': '+49 171 000111' }), { credential_id: '1-1' }) as never,
      itemOf(2),
      itemOf(3),
    ])
    expect(
      await changed(ledger, [
        { ...aRecipient(1), 'Contact Number': '0171000111', 'Birth Date': '1990-01-01', 'Last Name': 'LOVELACE ' },
        { ...aRecipient(2), Email: 'Person.2@Example.org' },
        { ...aRecipient(3), 'Last Name': 'Byron', Grade: 'A' },
        aRecipient(4),
      ]),
    ).toEqual([null, null, ['Last Name'], ['accepted']])
  })

  test('begins as the report shows it, and never as something to be sent', async () => {
    await using ledger = await openTestLedger()
    await adopted(ledger.ledger, [itemOf(1)])
    for (const state of ['pending', 'sending', 'failed', 'held'])
      await expect(
        ledger.database.query(
          `INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, adopted_as, state)
           SELECT environment, course_uuid, '\\x00', identity_hash, run_id, 9, pipeline, adopted_as, $1 FROM issuance`,
          [state],
        ),
      ).rejects.toThrow('begins as the report shows it')
    await expect(ledger.database.query('UPDATE issuance SET adopted_as = NULL')).rejects.toThrow('is refused')
  })
})
