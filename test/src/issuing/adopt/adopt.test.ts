// Adoptions when the ledger already has rows, and what happens to adopted credentials later. Needs a database.

import { expect, test } from 'vitest'
import { AdoptionOvertakenError } from '#src/ledger/report/adopt-items.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, byPrimaryValue, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'
import { writeErasure } from '#test/support/write-erasure.ts'
import { adoptItems, itemOf, readerFor, testAdoption } from './adoption-helpers.ts'

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

async function fieldsChangedBy(ledger: TestLedger, list: Parameters<TestLedger['publish']>[0]) {
  const run = await ledger.publish(list, { rule: byPrimaryValue })
  const fields: (string[] | null)[] = []
  await ledger.ledger.writeBacks.readRows(run, ['accepted', 'skipped'], async (rows) => {
    for (const row of rows) fields.push(row.outcome === 'accepted' ? ['accepted'] : row.changedFields)
  })
  return fields
}

describeWithDatabase('an adoption', () => {
  test('gives a pending row the item that the report shows for its person, so that the row is not sent', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(3))
    const attempt = await prepareOne(ledger.ledger, 'spring', 3)
    const tally = await adoptItems(ledger.ledger, [
      itemOf(1),
      itemOf(2, { issued_status: 'Request inqueue', credential_id: null }),
    ])
    expect(tally).toMatchObject({ adopted: 0, taken: 2, dryRunCount: 2, left: [] })
    expect(await ledger.states()).toEqual(['issued', 'requested', 'pending'])
    expect(
      await ledger.ledger.attempts.claim({
        attemptId: attempt ?? 0,
        instance: crypto.randomUUID(),
        requestSha256: 's',
        deadlineMs: 9,
      }),
    ).toBeNull()
    const life = await ledger.ledger.issuances.explain({ id: 1 })
    expect(life[0]?.history.map(({ event, to }) => [event, to])).toEqual([
      ['accepted', 'pending'],
      ...['unconfirmed', 'requested', 'in_progress', 'issued'].map((to) => ['adopted from the report', to]),
    ])
    // The stored data come from the list, so a list with other data is a correction.
    expect(await fieldsChangedBy(ledger, [{ ...aRecipient(1), 'Birth Date': '1990-01-01' }])).toEqual([['Birth Date']])
  })

  test('gives a failed row the credential that somebody issued manually, so that the row is not sent again', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    await ledger.answer(await ledger.send(1), { class: 'accepted' })
    await ledger.scan([itemOf(2, { issued_status: 'Request Failed', credential_id: null })])
    expect(await ledger.states()).toEqual(['failed', 'failed'])
    const items = [itemOf(1), itemOf(2, { issued_status: 'Request Failed', credential_id: null }), itemOf(2, {}, 2)]
    expect(await adoptItems(ledger.ledger, items)).toMatchObject({
      taken: 2,
      takenByFailed: 2,
      surplus: 0,
      dryRunCount: 2,
    })
    expect(await ledger.states()).toEqual(['issued', 'issued'])
    expect((await ledger.issuances()).map((each) => [each.entity, each.surplus])).toEqual([
      ['entity-1-1', 0],
      ['entity-2-2', 0],
    ])
    expect(await ledger.ledger.decisions.retry({ ids: [1, 2] }, { by: 'ada', why: '' })).toEqual([])
    await ledger.scan(items)
    expect((await ledger.issuances()).map((each) => each.surplus)).toEqual([0, 0])
    expect(await adoptItems(ledger.ledger, items)).toMatchObject({ taken: 0, known: 3, recounted: 0 })
  })

  test('keeps a failed row with a second item from being sent until that item is revoked', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(1), { class: 'accepted' })
    const failure = itemOf(1, { issued_status: 'Request Failed', credential_id: null })
    await ledger.scan([failure])
    await ledger.scan([failure, itemOf(1, {}, 2)])
    expect((await ledger.issuances())[0]).toMatchObject({ state: 'failed', surplus: 1 })
    const decision = { by: 'ada', why: '' }
    expect(await ledger.ledger.decisions.retry({ ids: [1] }, decision)).toEqual([])
    expect((await ledger.ledger.issuances.states([1])).get(1)).toMatchObject({ surplusItems: 1 })
    const revoked = itemOf(1, { revoked_date: '2026-11-01' }, 2)
    expect(await adoptItems(ledger.ledger, [failure, revoked])).toMatchObject({ taken: 0, recounted: 1 })
    expect(await ledger.ledger.decisions.retry({ ids: [1] }, decision)).toEqual([1])
  })

  test('leaves alone items that may belong to a sent row, or to a row that an operator decided to send again', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    const attempt = await ledger.send(1)
    await ledger.answer(attempt, { class: 'accepted' })
    const openAttempt = await ledger.send(1)
    const items = [itemOf(1), itemOf(2), itemOf(3)]
    expect(await adoptItems(ledger.ledger, items)).toMatchObject({
      adopted: 1,
      left: [
        'i1 is under way, and one of the items may belong to it',
        'i2 is under way, and one of the items may belong to it',
      ],
    })
    await ledger.answer(openAttempt, { class: 'refused' })
    await ledger.ledger.decisions.retry({ ids: [2] }, { by: 'ada', why: '' })
    expect((await adoptItems(ledger.ledger, items)).left).toContain('i2 is waiting to be sent again')
    await ledger.scan([itemOf(1)])
    expect(await adoptItems(ledger.ledger, [itemOf(1), itemOf(1, {}, 2), itemOf(3)])).toMatchObject({
      known: 2,
      surplus: 1,
    })
    expect((await ledger.issuances())[0]).toMatchObject({ state: 'issued', surplus: 1 })
  })

  test('leaves an item that may belong to a row with another key, unless it was seen before that row was sent', async () => {
    await using ledger = await openTestLedger()
    const rule = { ...byPrimaryValue, identity: ['Register Number'] }
    const people = [1, 2].map((n) => aRecipient(n, { 'Register Number': `R${n}` }))
    await ledger.publish(people, { rule })
    await ledger.scan([itemOf(1)])
    await ledger.send()
    expect(await adoptItems(ledger.ledger, [itemOf(1), itemOf(2)])).toMatchObject({
      adopted: 1,
      left: ['it may be the item that i2 is waiting for'],
    })
    expect(await ledger.queryOne('SELECT item_key FROM report_claim')).toEqual({ item_key: 'entity-1-1' })
  })

  test('leaves a credential that the ledger has for another course, and adopts the second one that the report shows', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1), { course: otherCourse })
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([itemOf(1), itemOf(1, {}, 2)])
    await ledger.scan([itemOf(1), itemOf(1, {}, 2)])
    expect((await ledger.issuances())[0]).toMatchObject({ entity: 'entity-1-1', surplus: 1 })
    expect(await adoptItems(ledger.ledger, [itemOf(1), itemOf(1, {}, 2)])).toMatchObject({
      adopted: 1,
      left: ['the ledger has it as a credential of another course'],
    })
    const { claimed } = await ledger.queryOne<{ claimed: string[] }>(
      'SELECT array_agg(item_key ORDER BY 1) AS claimed FROM report_claim',
    )
    expect(claimed).toEqual(['entity-1-1', 'entity-1-2'])
  })

  test('that was interrupted continues in the same run, adopts no item twice, and settles without a results file', async () => {
    await using ledger = await openTestLedger()
    const items = Array.from({ length: 1_200 }, (_, index) => itemOf(index + 1))
    const stop = new AbortController()
    const { adoptions, hasher } = ledger.ledger
    const stoppingAdoptions: typeof adoptions = {
      ...adoptions,
      write: (...args) => adoptions.write(...args).finally(() => stop.abort()),
    }
    expect(await adoptItems({ adoptions: stoppingAdoptions, hasher }, items, { signal: stop.signal })).toMatchObject({
      adopted: 500,
      dryRunCount: 1_200,
    })
    const [open] = await ledger.ledger.runs.list()
    expect(open).toMatchObject({
      rows: 500,
      accepted: 500,
      settledAt: null,
      notices: [expect.stringContaining('not finished')],
    })
    expect(await ledger.ledger.runs.settle()).toEqual([])
    expect(await adoptItems(ledger.ledger, items)).toMatchObject({ adopted: 700, known: 500 })
    expect(await adoptions.finish(testAdoption, ['a notice'])).toBe(open?.id)
    expect(await ledger.ledger.runs.settle()).toEqual([open?.id])
    expect(await ledger.ledger.writeBacks.wantedVersion(open?.id ?? '')).toBeNull()
    expect(await ledger.ledger.brake.recentSizes('spring')).toEqual([])
    const list = await ledger.publish([aRecipient(1), aRecipient(1_201)])
    expect(await ledger.ledger.runs.find(list)).toMatchObject({ accepted: 1, known: 1 })
  })

  test('decides again if another process wrote first, and gives up after three attempts', async () => {
    await using ledger = await openTestLedger()
    const { adoptions, hasher } = ledger.ledger
    const before = await adoptions.known(testAdoption.course, { issuanceKeys: [], itemKeys: [], hashes: [] })
    await adoptItems(ledger.ledger, [itemOf(2)])
    /** Bases this many decisions on what was read before the other process wrote. */
    const afterStaleReads = (times: number): typeof adoptions => ({
      ...adoptions,
      write: (adoption, keys, decide) => adoptions.write(adoption, keys, (now) => decide(times-- > 0 ? before : now)),
    })
    await expect(adoptItems({ adoptions: afterStaleReads(3), hasher }, [itemOf(1), itemOf(2)])).rejects.toThrow(
      AdoptionOvertakenError,
    )
    expect(await ledger.states()).toEqual(['issued'])
    expect(await adoptItems({ adoptions: afterStaleReads(2), hasher }, [itemOf(1), itemOf(2)])).toMatchObject({
      adopted: 1,
      known: 1,
    })
    expect(await ledger.states()).toEqual(['issued', 'issued'])
  })

  test('of an item that is not final makes a row that is watched, however old it is, and that is not sent with partial data if it fails', async () => {
    await using ledger = await openTestLedger()
    const inProgress = { issued_status: 'Request inprogress', credential_id: null, request_date: dayBefore(90) }
    await adoptItems(ledger.ledger, [
      itemOf(1, inProgress),
      itemOf(2, inProgress),
      itemOf(3, { issued_status: 'Request rejected' }, 2),
      itemOf(3),
    ])
    expect((await ledger.ledger.poller.read()).sinceAll).toBe(dayBefore(91))
    await ledger.ledger.adoptions.finish(testAdoption, [])
    await ledger.scan([
      itemOf(1),
      itemOf(2, { ...inProgress, issued_status: 'Request failed' }),
      itemOf(3, { issued_status: 'Request rejected' }, 2),
      itemOf(3),
    ])
    expect(await ledger.states()).toEqual(['issued', 'failed', 'issued'])
    // A rejected item beside the credential is not a second credential.
    expect((await ledger.issuances()).map(({ surplus }) => surplus)).toEqual([0, 0, 0])
    expect(await ledger.ledger.decisions.retry({ ids: [2] }, { by: 'ada', why: '' })).toEqual([])
    expect(await ledger.ledger.runs.settle()).toHaveLength(1)
  })

  test('stores only what the report shows: a list with more data, or with the same data in another case, counts as known', async () => {
    await using ledger = await openTestLedger()
    await adoptItems(ledger.ledger, [
      aReportItem(aRecipient(1, { 'Contact Number': '+49 171 000111' }), { credential_id: '1-1' }) as never,
      itemOf(2),
      itemOf(3),
    ])
    expect(
      await fieldsChangedBy(ledger, [
        { ...aRecipient(1), 'Contact Number': '0171000111', 'Birth Date': '1990-01-01', 'Last Name': 'LOVELACE ' },
        { ...aRecipient(2), Email: 'Person.2@Example.org' },
        { ...aRecipient(3), 'Last Name': 'Byron', Grade: 'A' },
        aRecipient(4),
      ]),
    ).toEqual([null, null, ['Last Name'], ['accepted']])
  })

  test('starts in the state that the report shows, never as something to be sent', async () => {
    await using ledger = await openTestLedger()
    await adoptItems(ledger.ledger, [itemOf(1)])
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

describeWithDatabase('an adoption of what the report shows of a forgotten person', () => {
  const identity = ['Email', 'Contact Number']
  const phone = { contact_number: '0171 234' }

  /** Forgets person 1, who was identified by the address. Returns an adoption by address and number. */
  async function openForgotten(kind: 'request' | 'retention' = 'request') {
    const testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await testLedger.publish(recipients(1))
    await withoutTriggers(database, `UPDATE issuance SET state = 'issued', credential_id = 'c' WHERE id = 1`)
    const id = await writeErasure(ledger, { ids: [1] })
    while ((await ledger.erasures.emptyNext(id)) > 0);
    if (kind === 'retention') await database.query(`UPDATE erasure SET kind = 'retention', pipeline = 'spring'`)
    const reader = readerFor(ledger.hasher, {
      plainNumbers: true,
      pipeline: { columns: { 'Primary Value': { value: 'Email' } }, identity, occurrence: [], correlation: undefined },
    })
    const adopt = (...items: Parameters<typeof adoptItems>[1]) => adoptItems(ledger, items, { reader })
    return Object.assign(testLedger, { adopt })
  }

  test('stores nothing of them, and adopts the others', async () => {
    await using ledger = await openForgotten()
    const tally = await ledger.adopt(itemOf(1, phone), itemOf(2, phone))
    expect(tally).toMatchObject({ adopted: 1, forgotten: 1, dryRunCount: 1, left: [] })
    expect(await ledger.queryOne(`SELECT count(*) AS back FROM run_row WHERE cells::text LIKE '%person.1@%'`)).toEqual({
      back: 0,
    })
    expect(await ledger.adopt(itemOf(1, phone), itemOf(2, phone))).toMatchObject({ adopted: 0, forgotten: 1, known: 1 })
  })

  test('leaves somebody else at the address, whose name is another one', async () => {
    await using ledger = await openForgotten()
    const tally = await ledger.adopt(itemOf(1, { ...phone, fname: 'Bea' }))
    expect(tally).toMatchObject({ adopted: 0, forgotten: 0, left: [expect.stringContaining('was forgotten')] })
  })

  test('leaves alone who may be that person', async () => {
    await using ledger = await openForgotten()
    expect(await ledger.adopt(itemOf(1, { ...phone, fname: null, lname: null }))).toMatchObject({
      ...{ adopted: 0, forgotten: 0, dryRunCount: 0 },
      left: [expect.stringMatching(/was forgotten on 20\d\d-\d\d-\d\d \(i1\), .* it may be theirs/)],
    })
  })

  test('says that the data expired if the retention ended', async () => {
    await using ledger = await openForgotten('retention')
    expect(await ledger.adopt(itemOf(1, phone))).toMatchObject({
      ...{ adopted: 0, left: [expect.stringMatching(/^the data of its person expired on 20\d\d-\d\d-\d\d \(i1\)/)] },
    })
  })
})
