// Which dates are accepted, in which formats, and within which limits.

import { describe, expect, test } from 'vitest'
import type { Field } from '#src/domain/recipient/field.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

const born = aField('Birth Date', { inputType: 'date-picker' })

describe('a date', () => {
  test.each<[string, string | undefined]>([
    ['1990-12-31', '1990-12-31'],
    ['2024-02-29', '2024-02-29'],
    ['1990-12-31T00:00:00.000Z', '1990-12-31'],
    ['1990-12-31 00:00', '1990-12-31'],
    ['2023-02-29', undefined],
    ['1990-12-31T10:00:00Z', undefined],
    ['1990-12-31T00:00:00+02:00', undefined],
    ['31.12.1990', undefined],
    ['12/31/1990', undefined],
    ['1990-1-2', undefined],
    ['33238', undefined],
    ['yesterday', undefined],
  ])('written %j becomes %j', (value, kept) => {
    const checked = checkOne(born, value)
    expect(checked.value).toBe(kept)
    expect(checked.broken).toEqual(kept === undefined ? ['date'] : [])
  })

  test.each<[string, string, string | undefined]>([
    ['DD.MM.YYYY', '31.12.1990', '1990-12-31'],
    ['dd.mm.yyyy', '31.12.1990', '1990-12-31'],
    ['D.M.YYYY', '01.02.1990', '1990-02-01'],
    ['MM/DD/YYYY', '02/29/2024', '2024-02-29'],
    ['D. M. YYYY', '5. 6. 2001', '2001-06-05'],
    ['DD.MM.YYYY', '31.13.1990', undefined],
    ['DD.MM.YYYY', '29.02.2023', undefined],
    ['DD.MM.YYYY', '1.2.1990', undefined],
    ['DD.MM.YYYY', '1990-12-31', '1990-12-31'],
    ['DD.MM.YYYY', '1990-12-31T00:00:00', '1990-12-31'],
    ['DD.MM.YYYY', '1990-12-31T10:00:00', undefined],
    ['MM/DD/YYYY', '1990-31-12', undefined],
    ['YYYY-DD-MM', '1990-12-31', undefined],
    ['YYYY/DD/MM', '1990-01-02', undefined],
  ])('declared as %j and written %j becomes %j', (date, value, kept) => {
    const checked = checkOne(born, value, undefined, { column: 'Birth Date', date })
    expect(checked.value).toBe(kept)
    expect(checked.broken).toEqual(kept === undefined ? ['date'] : [])
  })

  test('from a spreadsheet’s date cell is accepted whatever format is declared', () => {
    const spec = { column: 'Birth Date', date: 'DD.MM.YYYY' }
    expect(checkOne(born, '1990-12-31', 'date', spec).value).toBe('1990-12-31')
  })

  test('that is refused is shown only by its shape, with advice on how to declare the format', () => {
    const [violation] = checkOne(born, '31.13.1999').violations
    expect(violation?.value).toBe('99.99.9999')
    expect(violation?.sentence).toMatch(
      /^“Birth Date” holds a value written like 99\.99\.9999 \(9 for a digit, x for a letter or symbol\), which /,
    )
    expect(violation?.sentence).toContain('Birth Date: { column: Birth Date, date: DD.MM.YYYY }')
  })

  test.each<[Field['min'], Field['max'], string, string[]]>([
    ['2000-01-01', null, '2000-01-01', []],
    ['2000-01-01', null, '1999-12-31', ['min_date']],
    [null, '2000-01-01', '2000-01-01', []],
    [null, '2000-01-01', '2000-01-02', ['max_date']],
    [18, 100, '1999-12-31', []],
  ])('between %j and %j: %j breaks %j', (min, max, value, broken) => {
    expect(checkOne({ ...born, min, max }, value).broken).toEqual(broken)
  })

  test('limit on a field that is not a date is not checked', () => {
    expect(checkOne(aField('A', { min: '2000-01-01' }), '1990-01-01').broken).toEqual([])
  })
})
