// Which fields of a row count as different from a known credential: by its list, and by what the report shows.

import { expect, test } from 'vitest'
import { changedFields } from '#src/ledger/runs/changed-fields.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const [name, email, phone] = ['Last Name', 'Email', 'Contact Number']

/** A field with the value of the row and the known one, and whether it differs: from a list's, and from the report's. */
const cases: [
  what: string,
  field: string,
  fresh: string,
  known: string | null,
  fromList: boolean,
  fromReport: boolean,
][] = [
  ['the same value', name, 'King', 'King', false, false],
  ['another value', name, 'King', 'Byron', true, true],
  ['case and spaces', name, 'KING  of  A', 'King of A', true, false],
  ['nothing in the row', name, '', 'King', false, false],
  ['only spaces in the row', name, '  ', 'King', false, false],
  ['nothing known', name, 'King', null, true, false],
  ['the case of an address', email, 'Ada@Example.org', 'ada@example.org', false, false],
  ['another address', email, 'ada@example.org', 'bea@example.org', true, true],
  ['the spelling of a number', phone, '(030) 77-70', '0307770', false, false],
  ['the spelling of a number in another field', name, '(030) 77-70', '0307770', true, true],
  ['a number with text', phone, '030 7770 at work', '0307770 at work', true, false],
  ['the dial code', phone, '+49 30 7770', '307770', true, false],
  ['the dial code, which only the credential has', phone, '307770', '+49 30 7770', true, false],
  ['another number', phone, '+49 30 7771', '+49 30 7770', true, true],
  ['the dial code of a number of five digits', phone, '49 77701', '77701', true, false],
  ['the end of a number of four digits', phone, '49 7770', '7770', true, true],
  ['the dial code in another field', name, '49307770', '307770', true, true],
]

describeWithDatabase('a field that differs from a known credential', () => {
  test('is found in a list and in the report', async () => {
    await using testLedger = await openTestLedger()
    const differs = async (field: string, fresh: string, known: string | null, partial: boolean) => {
      const { rows } = await testLedger.database.query<{ fields: string[] | null }>(
        `SELECT ${changedFields('$1::jsonb', '$2::jsonb', { phones: '$3', emails: '$4' }, '$5::boolean')} AS fields`,
        [
          JSON.stringify({ [field]: fresh, 'First Name': 'Ada' }),
          JSON.stringify({ ...(known !== null && { [field]: known }), 'First Name': 'Ada', Title: 'Dr' }),
          ...[[phone], [email], partial],
        ],
      )
      return rows[0]?.fields ?? null
    }
    for (const [what, field, fresh, known, fromList, fromReport] of cases) {
      expect(await differs(field, fresh, known, false), what).toEqual(fromList ? [field] : null)
      expect(await differs(field, fresh, known, true), what).toEqual(fromReport ? [field] : null)
    }
  })
})
