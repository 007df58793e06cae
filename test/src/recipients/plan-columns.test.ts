import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ColumnSpec } from '#src/recipients/column-plan.ts'
import { planColumns } from '#src/recipients/plan-columns.ts'
import { aField, courseFields } from './fields.ts'

const primary: Record<string, ColumnSpec> = { 'Primary Value': { value: 'Email' } }
const complete = ['Email', 'First Name']

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
    expect(planned.unfilledFields).toEqual(['Last Name', 'Contact Number', 'Birth Date', 'Salutation'])
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

  test('does not match a hyphen away, nor a column that is merely similar', () => {
    expect(planOf(['E-Mail', 'First Names'], primary).kinds).toEqual(['required_field', 'required_field'])
  })

  test('leaves a column that is mapped elsewhere out of matching by name', () => {
    const planned = planOf([...complete, 'Last Name'], { ...primary, Salutation: 'Last Name' })
    expect(planned.sources.Salutation).toBe('Last Name')
    expect(planned.unfilledFields).toContain('Last Name')
  })

  test('prefers a display name to another field that has the name internally', () => {
    const fields = [aField('Name', { name: 'full' }), aField('Nickname', { name: 'name' })]
    expect(planOf(['name'], {}, fields).sources).toEqual({ Name: 'name' })
  })

  test('takes a field named in configuration by its internal name', () => {
    expect(planOf(['mail', 'First Name'], { email_: 'mail', ...primary }).sources.Email).toBe('mail')
  })

  test('keeps the declared date format', () => {
    const planned = planOf([...complete, 'born'], { ...primary, 'Birth Date': { column: 'born', date: 'DD.MM.YYYY' } })
    const source = planned.plan.find(({ field }) => field.displayName === 'Birth Date')?.source
    expect(source).toMatchObject({ kind: 'column', index: 2, date: { text: 'DD.MM.YYYY' } })
  })
})

describe('a fault', () => {
  test('names a column that is not in the file, and the one that was meant', () => {
    const planned = planOf(['e_mial', 'First Name'], { Email: 'e_mail', ...primary })
    expect(planned.kinds).toEqual(['column_missing'])
    expect(planned.faults[0]?.sentence).toMatch(/no column “e_mail”.*Did you mean “e_mial”/)
  })

  test('does not list the first row of a file without a header', () => {
    const planned = planOf(['jane@e_mail.com', 'Jane', 'Doe'], { Email: 'e_mail', 'First Name': 'given', ...primary })
    expect(planned.faults.length).toBeGreaterThan(0)
    expect(JSON.stringify(planned.faults)).not.toMatch(/jane|doe/i)
  })

  test('names a field that the course does not have, which it has and which was meant', () => {
    const planned = planOf(complete, { ...primary, 'Frist Name': 'x' })
    expect(planned.kinds).toEqual(['unknown_field'])
    expect(planned.faults[0]?.sentence).toMatch(/Did you mean “First Name”\? It has: Email, First Name, /)
  })

  test('names the two columns that match one field', () => {
    const planned = planOf(['Email', 'e_mail', 'First Name'], primary)
    expect(planned.kinds).toEqual(['column_ambiguous'])
    expect(planned.faults[0]?.sentence).toContain('“Email” and “e_mail”')
  })

  test('names the two fields that one column could fill', () => {
    const planned = planOf(['NAME'], {}, [aField('Name'), aField('na me')])
    expect(planned.kinds).toEqual(['column_ambiguous'])
  })

  test('tells that a mapped column is twice in the file', () => {
    expect(planOf(['mail', 'mail', 'First Name'], { Email: 'mail', ...primary }).kinds).toEqual(['column_ambiguous'])
  })

  test('tells that a field is mapped twice under two names', () => {
    expect(planOf(['a', 'b', 'First Name'], { Email: 'a', email_: 'b', ...primary }).kinds).toEqual(['field_twice'])
  })

  test('names each required field without a column, once', () => {
    const planned = planOf(['Last Name'], {})
    expect(planned.faults.map(({ kind, field }) => [kind, field])).toEqual([
      ['required_field', 'Email'],
      ['required_field', 'First Name'],
      ['required_field', 'Primary Value'],
    ])
    expect(planned.faults[2]?.sentence).toContain('Primary Value: { value: Email }')
  })

  test('tells that a required field has an empty constant', () => {
    expect(planOf(complete, { 'Primary Value': { value: ' ' } }).kinds).toEqual(['required_field'])
  })

  test.each(['DD.MM.YY', 'YYYY', 'DD.DD.YYYY', 'DMYYYY', 'day', ''])('refuses the date format %j', (date) => {
    expect(planOf([...complete, 'b'], { ...primary, 'Birth Date': { column: 'b', date } }).kinds).toEqual([
      'date_format',
    ])
  })

  test('tells that the primary value names no field, and which was meant', () => {
    const planned = planOf(complete, { 'Primary Value': { value: 'E-Mail' } })
    expect(planned.kinds).toEqual(['primary_value'])
    expect(planned.faults[0]?.sentence).toContain('Did you mean “Email”')
  })

  test('tells that nothing fills the field that the primary value names', () => {
    expect(planOf(complete, { 'Primary Value': { value: 'Contact Number' } }).kinds).toEqual(['primary_value'])
    expect(planOf([...complete, 'Contact Number'], { 'Primary Value': { value: 'Contact Number' } }).kinds).toEqual([])
  })
})

test('planning takes anything, and every column and field is accounted for', () => {
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
      const { plan, unfilledFields, unusedColumns } = planColumns(header, columns, list)
      expect(plan.length + unfilledFields.length).toBe(list.length)
      expect(unusedColumns.length).toBeLessThanOrEqual(header.length)
      for (const { source } of plan) if (source.kind === 'column') expect(source.index).toBeLessThan(header.length)
    }),
    { numRuns: 500 },
  )
})
