// How a list differs from the ledger: new, known and changed people.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, byPrimaryValue, type Recipient, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

async function diffOf({ ledger }: TestLedger, runId: string) {
  const { accepted, known, changed, skipped, invalid, rows } = (await ledger.runs.find(runId)) ?? {}
  expect(rows).toBe(Number(invalid) + Number(skipped) + Number(accepted))
  expect(skipped).toBe(Number(known) + Number(changed))
  return { new: accepted, known, changed }
}

async function rowsOf({ ledger }: TestLedger, runId: string) {
  const all: { fields: string[] | null; why: string | null }[] = []
  await ledger.writeBacks.readRows(runId, ['accepted', 'skipped', 'invalid'], async (rows) => {
    for (const { changedFields, skipReason } of rows) all.push({ fields: changedFields, why: skipReason })
  })
  return all
}

/** The fields in which the row of a second list is reported to differ from the row of the first list. */
async function differingFields(first: Recipient, second: Recipient, rule = byPrimaryValue) {
  await using ledger = await openTestLedger()
  await ledger.publish([first], { rule })
  const run = await ledger.publish([second], { rule })
  return (await rowsOf(ledger, run))[0]?.fields
}

describeWithDatabase('a row of a known person', () => {
  test('with a different name and date is a correction: it is skipped, and the names of the fields are reported, never their values', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([...recipients(2), aRecipient(3, { 'Birth Date': '1990-01-01' })], { name: 'list.csv' })
    const bea = aRecipient(3, { 'First Name': 'Bea', 'Birth Date': '1991-01-01' })
    const run = await ledger.publish([aRecipient(1), bea, aRecipient(4)])
    expect(await diffOf(ledger, run)).toMatchObject({ new: 1, known: 1, changed: 1 })
    const [known, changed, fresh] = await rowsOf(ledger, run)
    expect(known).toEqual({ fields: null, why: expect.stringMatching(/^already known from list\.csv, row 2, /) })
    expect(changed).toEqual({
      fields: ['Birth Date', 'First Name'],
      why: 'known from row 4 of list.csv, and Birth Date and First Name differ: a correction, which is never issued automatically',
    })
    expect(fresh).toEqual({ fields: null, why: null })
    expect(await ledger.states()).toEqual(Array(4).fill('pending'))
    const [explained] = await ledger.ledger.issuances.explain({ id: 3 })
    expect(explained?.alsoIn).toMatchObject([{ row: 3, changedFields: ['Birth Date', 'First Name'] }])
  })

  test.each<[string, Recipient, Recipient, string[] | null]>([
    ['that writes a letter as two characters', { 'Last Name': 'Müller' }, { 'Last Name': 'Mu\u0308ller' }, null],
    ['with invisible spaces', { 'Last Name': 'Byron' }, { 'Last Name': '\u00a0Byron ' }, null],
    ['in two fields', { Zip: '1', Address: 'A' }, { Zip: '2', Address: 'B' }, ['Address', 'Zip']],
    [
      'of another contact with the same digits',
      { 'Contact Person': 'Ann 1' },
      { 'Contact Person': 'Bea 1' },
      ['Contact Person'],
    ],
    ['with a quote and a brace in a name', { 'A "b" {c}': '1' }, { 'A "b" {c}': '2' }, ['A "b" {c}']],
  ])('%s differs only in the fields that were changed', async (_, first, second, expected) => {
    expect(await differingFields(aRecipient(1, first), aRecipient(1, second))).toEqual(expected)
  })

  test('whose data were deleted counts as known, because there is nothing to compare', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.database.query('UPDATE issuance SET recipient = NULL')
    const run = await ledger.publish([aRecipient(1, { 'First Name': 'Bea' })])
    expect(await diffOf(ledger, run)).toMatchObject({ known: 1, changed: 0 })
  })

  test('cannot be both changed and accepted: the database refuses it', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    const falsify = ledger.database.query(`UPDATE run_row SET changed_fields = '["Email"]'`)
    await expect(falsify).rejects.toThrow('check constraint')
  })
})
