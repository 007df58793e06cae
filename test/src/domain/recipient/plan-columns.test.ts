// Which column fills which field, and the faults of a plan.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ColumnSpec } from '#src/domain/recipient/column-plan.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { aField, courseFields } from './fields.ts'

const primary: Record<string, ColumnSpec> = { 'Primary Value': { value: 'Email' } }
const completeHeader = ['Email', 'First Name']

function planOf(header: string[], columns: Record<string, ColumnSpec>, fields = courseFields) {
  const planned = planColumns(header, columns, fields)
  const sources = planned.plan.map(({ field, source }) => [
    field.displayName,
    source.kind === 'column' ? source.column : { constant: source.value },
  ])
  return { ...planned, sources: Object.fromEntries(sources), kinds: planned.faults.map((fault) => fault.kind) }
}

describe('a plan', () => {
  test('fills mapped fields from their columns and constants', () => {
    const planned = planOf(['given', 'e_mail', 'extra'], { Email: 'e_mail', 'First Name': 'given', ...primary })
    expect(planned.faults).toEqual([])
    expect(planned.sources).toEqual({ Email: 'e_mail', 'First Name': 'given', 'Primary Value': { constant: 'Email' } })
    expect(planned.unusedColumns).toEqual(['extra'])
  })

  test.each([
    ['EMAIL', 'first_name'],
    ['e mail', 'FirstName'],
    ['email_', 'fname'],
    [' Email ', 'FIRST  NAME'],
  ])('matches %j and %j by display name or internal name', (email, first) => {
    const planned = planOf([email, first], primary)
    expect(planned.faults).toEqual([])
    expect(planned.sources).toMatchObject({ Email: email.trim(), 'First Name': first.trim() })
  })

  test('does not ignore hyphens, and does not match columns that are merely similar', () => {
    expect(planOf(['E-Mail', 'First Names'], primary).kinds).toEqual(['required_field', 'required_field'])
  })

  test('does not match a column by name if the configuration maps it to another field', () => {
    const planned = planOf([...completeHeader, 'Last Name'], { ...primary, Salutation: 'Last Name' })
    expect(planned.sources.Salutation).toBe('Last Name')
    expect(planned.sources).not.toHaveProperty('Last Name')
  })

  test('prefers the field with that display name to another field with that internal name', () => {
    const fields = [aField('Name', { name: 'full' }), aField('Nickname', { name: 'name' })]
    expect(planOf(['name'], {}, fields).sources).toEqual({ Name: 'name' })
  })

  test('accepts a field’s internal name in the configuration', () => {
    expect(planOf(['mail', 'First Name'], { email_: 'mail', ...primary }).sources.Email).toBe('mail')
  })

  test('keeps the declared date format', () => {
    const planned = planOf([...completeHeader, 'born'], {
      ...primary,
      'Birth Date': { column: 'born', date: 'DD.MM.YYYY' },
    })
    const source = planned.plan.find(({ field }) => field.displayName === 'Birth Date')?.source
    expect(source).toMatchObject({ kind: 'column', index: 2, date: { text: 'DD.MM.YYYY' } })
  })
})

describe('a fault', () => {
  test('names a missing column, and the column that was probably meant', () => {
    const planned = planOf(['e_mial', 'First Name'], { Email: 'e_mail', ...primary })
    expect(planned.kinds).toEqual(['column_missing'])
    expect(planned.faults[0]?.sentence).toMatch(/no column “e_mail”.*Did you mean “e_mial”/)
  })

  test('is a column without a name, even if the file has one', () => {
    expect(planOf(['', 'First Name'], { Email: '', ...primary }).kinds).toEqual(['column_missing'])
  })

  test('does not list the first row of a file without a header', () => {
    const planned = planOf(['jane@e_mail.com', 'Jane', 'Doe'], { Email: 'e_mail', 'First Name': 'given', ...primary })
    expect(planned.kinds).toEqual(['column_missing', 'column_missing'])
    expect(JSON.stringify(planned.faults)).not.toMatch(/jane|doe/i)
  })

  test('names an unknown field, the existing fields and the field that was probably meant', () => {
    const planned = planOf(completeHeader, { ...primary, 'Frist Name': 'x' })
    expect(planned.kinds).toEqual(['unknown_field'])
    expect(planned.faults[0]?.sentence).toMatch(/Did you mean the field “First Name”\? It has: Email, First Name, /)
  })

  test('names the two columns that match one field', () => {
    const planned = planOf(['Email', 'e_mail', 'First Name'], primary)
    expect(planned.kinds).toEqual(['column_ambiguous'])
    expect(planned.faults[0]?.sentence).toContain('“Email” and “e_mail”')
  })

  test('reports that a mapped column appears twice in the file', () => {
    expect(planOf(['mail', 'mail', 'First Name'], { Email: 'mail', ...primary }).kinds).toEqual(['column_ambiguous'])
  })

  test('reports that a field is mapped twice, under two names', () => {
    expect(planOf(['a', 'b', 'First Name'], { Email: 'a', email_: 'b', ...primary }).kinds).toEqual(['field_twice'])
  })

  test('reports each required field without a column once', () => {
    const planned = planOf(['Last Name'], {})
    expect(planned.faults.map(({ kind, field }) => [kind, field])).toEqual([
      ['required_field', 'Email'],
      ['required_field', 'First Name'],
      ['required_field', 'Primary Value'],
    ])
    expect(planned.faults[2]?.sentence).toContain('Primary Value: { value: Email }')
  })

  test('reports that a required field has an empty constant', () => {
    expect(planOf(completeHeader, { 'Primary Value': { value: ' ' } }).kinds).toEqual(['required_field'])
  })

  test('reports a date format that is none', () => {
    const planned = planOf([...completeHeader, 'b'], { ...primary, 'Birth Date': { column: 'b', date: 'DD.MM.YY' } })
    expect(planned.kinds).toEqual(['date_format'])
  })

  test('reports that the primary value names no field, and the field that was probably meant', () => {
    const planned = planOf(completeHeader, { 'Primary Value': { value: 'E-Mail' } })
    expect(planned.kinds).toEqual(['primary_value'])
    expect(planned.faults[0]?.sentence).toContain('Did you mean the field “Email”')
  })

  test('reports that nothing fills the field that the primary value names', () => {
    expect(planOf(completeHeader, { 'Primary Value': { value: 'Contact Number' } }).kinds).toEqual(['primary_value'])
    expect(
      planOf([...completeHeader, 'Contact Number'], { 'Primary Value': { value: 'Contact Number' } }).kinds,
    ).toEqual([])
  })
})

test('planning accepts any input and accounts for every column and field', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('Email', 'email_', 'E MAIL', '__proto__', 'constructor', 'Birth Date', ''),
  )
  const spec: fc.Arbitrary<ColumnSpec> = fc.oneof(
    word,
    fc.record({ value: word }),
    fc.record({ column: word, date: fc.oneof(word, fc.constant('DD.MM.YYYY')) }, { requiredKeys: ['column'] }),
  )
  const fields = fc.oneof(
    fc.constant(courseFields),
    fc
      .array(fc.record({ name: word, required: fc.boolean(), displayName: word }))
      .map((list) => list.map(({ displayName, ...rest }) => aField(displayName, rest))),
  )
  fc.assert(
    fc.property(fc.array(word), fc.dictionary(word, spec), fields, (header, columns, list) => {
      const { plan, unusedColumns } = planColumns(header, columns, list)
      expect(plan.length).toBeLessThanOrEqual(list.length)
      expect(unusedColumns.length).toBeLessThanOrEqual(header.length)
      for (const { source } of plan) if (source.kind === 'column') expect(source.index).toBeLessThan(header.length)
    }),
    { numRuns: 500 },
  )
})

test('a column that two fields could be is reported once, with both, even if both are required', () => {
  const fields = [aField('First Name', { required: true }), aField('first_name', { required: true })]
  expect(planOf(['FIRST NAME'], {}, fields).faults).toEqual([
    {
      kind: 'column_ambiguous',
      field: 'First Name',
      sentence:
        'The column “FIRST NAME” could be the field “First Name” or the field “first_name”. Say under columns which field it fills.',
    },
  ])
})

test('a column that a field with a date format names fills no other field', () => {
  const fields = [aField('Email'), aField('Born')]
  expect(planOf(['Email'], { Born: { column: 'Email', date: 'YYYY-MM-DD' } }, fields).sources).toEqual({
    Born: 'Email',
  })
})

test('columns without a title are not listed as unused, and a constant uses none', () => {
  expect(planOf(['', 'B', 'C'], { A: { value: 'x' } }, [aField('A')]).unusedColumns).toEqual(['B', 'C'])
})

test.each<[string, string[], RegExp]>([
  ['Email', ['Name'], /Add “Email: <title of the column>” under columns\.$/],
  ['Primary Value', ['Name'], /add “Primary Value: \{ value: Email \}” under columns\.$/],
  ['Primary Value', ['Name', 'E-Mail'], /add “Primary Value: \{ value: E-Mail \}” under columns\.$/],
])('the required field %s beside %j is explained', (name, others, sentence) => {
  const fields = [...others.map((each) => aField(each)), aField(name, { required: true })]
  expect(planOf([], {}, fields).faults).toMatchObject([{ sentence: expect.stringMatching(sentence) }])
})

test('an empty constant of a primary value that may be empty names nothing', () => {
  expect(planOf([], { 'Primary Value': { value: ' ' } }, [aField('Primary Value')]).faults).toEqual([])
})

test('a column that could be two fields is no fault if other columns fill both', () => {
  const fields = [aField('First Name'), aField('first_name')]
  const planned = planOf(['a', 'b', 'FIRST NAME'], { 'First Name': 'a', first_name: 'b' }, fields)
  expect([planned.faults, planned.unusedColumns]).toEqual([[], ['FIRST NAME']])
})
