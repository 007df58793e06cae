// The differences between two records, computed in memory and in the database: both must agree.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differingValues } from '#src/domain/credential/differing-values.ts'
import { changedFields, namesByRole } from '#src/ledger/runs/changed-fields.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
  ['the difference of an address in capitals', { Email: 'ADA@X.ORG' }, { Email: 'ada@x.org' }, []],
  ['the difference of a number in groups', { Phone: '+49 (171) 5' }, { Phone: '0049171-5' }, []],
  ['the difference of an invisible character', { Grade: 'A\u00ad\u200e' }, { Grade: 'A' }, []],
  ['the difference of a joiner, which changes how letters look,', { Name: 'ක්\u200dර' }, { Name: 'ක්ර' }, ['Name']],
  ['the difference of spaces around a value', { Grade: ' A' }, { Grade: 'A ' }, []],
  ['the difference of capitals outside an address', { Grade: 'A' }, { Grade: 'a' }, ['Grade']],
  ['the difference of a dash outside a number', { Code: '1-2' }, { Code: '12' }, ['Code']],
  ['the difference of a word before a number', { Phone: 'home 171' }, { Phone: '171' }, ['Phone']],
  ['the difference of a word after a number', { Phone: '171 home' }, { Phone: '171' }, ['Phone']],
  ['the difference of two fields, in the order of their names,', { B: '2', A: '1' }, { A: '2' }, ['A', 'B']],
  ['the difference of a field that is no longer filled', { Name: '\u200e ' }, { Name: 'Ada' }, []],
  ['the difference of a field that is newly filled', { Name: 'Ada', Grade: 'A' }, { Name: 'Ada' }, ['Grade']],
])('%s is reported correctly', (_, fresh, known, expected) => {
  expect(differingValues(fresh, known)).toEqual(expected)
})

describeWithDatabase('the database', () => {
  test('returns the same for any two records', async () => {
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
