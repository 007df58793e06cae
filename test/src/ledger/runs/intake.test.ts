// Tests how a file becomes rows of the ledger, in which each person gets only one credential.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aRecipient, aStagedRow, byPrimaryValue, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

async function countsOf({ ledger }: TestLedger, runId: string) {
  const { rows, invalid, skipped, accepted } = (await ledger.runs.withStates(runId))?.run ?? {}
  return { rows, invalid, skipped, accepted }
}

async function rowsOf({ ledger }: TestLedger, runId: string) {
  const all: { row: number; outcome: string; why: string | null }[] = []
  await ledger.writeBacks.readRows(runId, ['accepted', 'skipped', 'invalid'], async (rows) => {
    for (const { row, outcome, skipReason, violations } of rows)
      all.push({ row, outcome, why: skipReason ?? violations?.map((violation) => violation.rule).join() ?? null })
  })
  return all
}

describeWithDatabase('a file', () => {
  test('has only rows that are invalid, skipped or accepted, and all are counted', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish([...recipients(3), aRecipient(1)], { more: [aBadRow(6)] })
    expect(await countsOf(ledger, run)).toEqual({ rows: 5, invalid: 1, skipped: 1, accepted: 3 })
    expect(await rowsOf(ledger, run)).toEqual([
      { row: 2, outcome: 'accepted', why: null },
      { row: 3, outcome: 'accepted', why: null },
      { row: 4, outcome: 'accepted', why: null },
      { row: 5, outcome: 'skipped', why: 'the same person as row 2 of this file' },
      { row: 6, outcome: 'invalid', why: 'required' },
    ])
  })

  test('takes no rows from a reader that resumes after another worker has published the run', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish(recipients(2))
    const late = [aStagedRow(9, aRecipient(9), ledger.ledger.hasher)]
    await expect(ledger.ledger.intake.stage(run, late)).rejects.toThrow('waiting to be read; nothing was staged')
    expect(await ledger.queryOne('SELECT count(*) AS count FROM staged_row')).toEqual({ count: 0 })
    expect(await ledger.ledger.runs.find(run)).toMatchObject({ readRows: 2, accepted: 2 })
  })

  test('without rows is still published', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish([])
    expect(await countsOf(ledger, run)).toEqual({ rows: 0, invalid: 0, skipped: 0, accepted: 0 })
  })

  test('that is submitted again after its run is settled becomes a new run of skipped rows', async () => {
    await using ledger = await openTestLedger()
    const first = await ledger.publish(recipients(3), { sha256: 'same' })
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    expect(await ledger.ledger.runs.settle()).toEqual([])
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    expect(await ledger.ledger.runs.settle()).toEqual([first])
    const second = await ledger.publish(recipients(3), { sha256: 'same' })
    expect(second).not.toBe(first)
    expect(await countsOf(ledger, second)).toEqual({ rows: 3, invalid: 0, skipped: 3, accepted: 0 })
    expect(await ledger.states()).toEqual(['failed', 'failed', 'failed'])
  })

  test('with a different name and the same people is skipped row by row, with the source from which they are known', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2), { name: 'march.csv' })
    const run = await ledger.publish([aRecipient(2), aRecipient(3)], { name: 'april.csv' })
    expect(await countsOf(ledger, run)).toEqual({ rows: 2, invalid: 0, skipped: 1, accepted: 1 })
    const [skipped] = await rowsOf(ledger, run)
    expect(skipped?.why).toMatch(/^already known from march\.csv, row 3, received \d{4}-\d{2}-\d{2}$/)
    const [explained] = await ledger.ledger.issuances.explain({ id: 2 })
    expect(explained?.alsoIn).toMatchObject([{ source: 'april.csv', row: 2 }])
  })
})

describeWithDatabase('one person', () => {
  test('with two names is refused in every row, because it is unknown which name is right', async () => {
    await using ledger = await openTestLedger()
    const bob = aRecipient(1, { 'First Name': 'Bob' })
    const run = await ledger.publish([aRecipient(1), aRecipient(2), bob, aRecipient(1)])
    expect(await countsOf(ledger, run)).toEqual({ rows: 4, invalid: 3, skipped: 0, accepted: 1 })
    const rules = (await rowsOf(ledger, run)).map((row) => row.why)
    expect(rules).toEqual(['identity_conflict', null, 'identity_conflict', 'identity_conflict'])
    const { sentence } = await ledger.queryOne<{ sentence: string }>(
      `SELECT violations->0->>'sentence' AS sentence FROM run_row WHERE row_number = 4`,
    )
    expect(sentence).toContain('Rows 2, 4, 5 give the same person')
    expect(sentence).not.toMatch(/Ada1|Bob|person\.1/)
  })

  test('with two names in seven rows gets a message that names five of the rows and counts the others', async () => {
    await using ledger = await openTestLedger()
    const rows = [...Array(6).fill(aRecipient(1)), aRecipient(1, { 'Last Name': 'King' })]
    await ledger.publish(rows)
    const { violation } = await ledger.queryOne<{ violation: object }>(
      'SELECT violations->0 AS violation FROM run_row WHERE row_number = 8',
    )
    expect(violation).toEqual({
      ...{ row: 8, column: '', field: '', rule: 'identity_conflict', value: '' },
      sentence:
        'Rows 2, 3, 4, 5, 6 and 2 more give the same person different names. Correct the names or the identity.',
    })
  })

  test('with two names is also refused if one of the rows is invalid for another reason', async () => {
    await using ledger = await openTestLedger()
    const { identityHash } = aStagedRow(2, aRecipient(1), ledger.ledger.hasher)
    const names = { 'First Name': 'Otto', 'Last Name': 'Other' }
    const late = { ...aBadRow(9), identityHash, recipient: names }
    const run = await ledger.publish([aRecipient(1), aRecipient(2)], { more: [late] })
    expect(await countsOf(ledger, run)).toEqual({ rows: 3, invalid: 2, skipped: 0, accepted: 1 })
    const rules = (await rowsOf(ledger, run)).map((row) => row.why)
    expect(rules).toEqual(['identity_conflict', null, 'required,identity_conflict'])
  })

  test('is accepted if only the case of the name differs', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish([aRecipient(1), aRecipient(1, { 'First Name': 'ADA1' })])
    expect(await countsOf(ledger, run)).toMatchObject({ invalid: 0, skipped: 1, accepted: 1 })
  })

  test('can have a second credential for a second occasion, but no third for the same one', async () => {
    await using ledger = await openTestLedger()
    const rule = { ...byPrimaryValue, occurrence: ['End'] }
    const endingOn = (End: string) => aRecipient(1, { End })
    const run = await ledger.publish([endingOn('2026-03-01'), endingOn('2026-09-01'), endingOn('2026-03-01')], { rule })
    expect(await countsOf(ledger, run)).toEqual({ rows: 3, invalid: 0, skipped: 1, accepted: 2 })
    const later = await ledger.publish([endingOn('2026-09-01'), endingOn('2027-03-01')], { rule })
    expect(await countsOf(ledger, later)).toMatchObject({ skipped: 1, accepted: 1 })
  })
})
