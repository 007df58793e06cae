// What differs between two records, here and in the database: they must say the same.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differingValues } from '#src/issuance/differing-values.ts'
import { changedFields, namesByRole } from '#src/ledger/changed-fields.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/ledger.ts'

test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
  ['an address in capitals', { Email: 'ADA@X.ORG' }, { Email: 'ada@x.org' }, []],
  ['a number in groups', { Phone: '+49 (171) 5' }, { Phone: '0049171-5' }, []],
  ['a mark that nobody sees', { Grade: 'A\u00ad\u200e' }, { Grade: 'A' }, []],
  ['a joiner, which shapes letters', { Name: 'ක්\u200dර' }, { Name: 'ක්ර' }, ['Name']],
  ['a field that is filled no more', { Name: '\u200e ' }, { Name: 'Ada' }, []],
  ['a field that is filled now', { Name: 'Ada', Grade: 'A' }, { Name: 'Ada' }, ['Grade']],
])('%s is told as it is meant', (_, fresh, known, expected) => {
  expect(differingValues(fresh, known)).toEqual(expected)
})

describeWithDatabase('the database', () => {
  test('says the same of any two records', async () => {
    await using ledger = await openTestLedger()
    const piece = fc.constantFrom(
      'a',
      'A',
      '1',
      '0',
      ' ',
      '\u00a0',
      '\u200e',
      '\u00ad',
      '\u200d',
      'İ',
      'σ',
      'ς',
      'É',
      'u\u0308',
      '+',
      '@',
      '\u2003',
      '\u{e0001}',
    )
    const value = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''))
    const record = fc.record({ Email: value, 'Contact Number': value, 'First Name': value }, { requiredKeys: [] })
    const pairs = fc.sample(fc.tuple(record, record), { numRuns: 2_000, seed: 3 })
    const { phones, emails } = namesByRole(['Email', 'Contact Number', 'First Name'])
    const sql = changedFields('r.fresh', 'r.known', { phones: '$3', emails: '$4' })
    const { rows } = await ledger.database.query<{ fields: string[] | null }>(
      `SELECT ${sql} AS fields FROM unnest($1::jsonb[], $2::jsonb[]) WITH ORDINALITY r(fresh, known, at) ORDER BY at`,
      [pairs.map(([one]) => JSON.stringify(one)), pairs.map(([, other]) => JSON.stringify(other)), phones, emails],
    )
    for (const [at, [fresh, known]] of pairs.entries())
      expect({ fresh, known, fields: rows[at]?.fields ?? [] }).toEqual({
        fresh,
        known,
        fields: differingValues(fresh, known),
      })
  })
})
