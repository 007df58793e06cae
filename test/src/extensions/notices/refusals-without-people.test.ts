// What a message shows of the reason why a list was refused: the names of the course's fields, and nothing from the file.

import { expect, test } from 'vitest'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { withoutPeople } from '#src/extensions/notices/facts.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import { aField, courseFields } from '#test/src/domain/recipient/fields.ts'

const primary = { 'Primary Value': { value: 'Email' } }
const shown = (header: string[], columns: Parameters<typeof planColumns>[1], fields = courseFields) =>
  planColumns(header, columns, fields)
    .faults.map(({ sentence }) => withoutPeople(sentence))
    .join('\n')

test('a field that nothing fills is named', () => {
  expect(shown(['Ada Lovelace'], primary)).toContain('The course requires the field “Email”, and no column fills it.')
})

test('a field whose column is missing is named, and a heading that is similar is not', () => {
  const sentence = shown(['Email', 'First Name', 'Lovelac'], { ...primary, 'Last Name': 'Lovelace' })
  expect(sentence).toBe('There is no column “…” for the field “Last Name”. Did you mean “…”?')
})

test('a field that two columns match is named, and their headings are not', () => {
  const fields = [aField('Ada Lovelace'), aField('ada_lovelace')]
  expect(shown(['ADA LOVELACE'], {}, fields)).toBe(
    'The column “…” could be the field “Ada Lovelace” or the field “ada_lovelace”. Say under columns which field it fills.',
  )
  expect(shown(['Email', 'e_mail', 'First Name'], primary)).toContain(
    'The columns “…” and “…” both match the field “Email”',
  )
})

test('a field that the course does not have is named, with the one that was meant', () => {
  expect(shown(['Email', 'First Name'], { ...primary, 'Frist Name': 'x' })).toContain(
    'The course has no field “Frist Name”. Did you mean the field “First Name”?',
  )
  const { faults } = identityRuleOf({ identity: ['Emial'], occurrence: [] }, courseFields)
  expect(faults.map(withoutPeople)).toEqual([expect.stringMatching(/^identity names the field “Emial”/)])
})

test('a heading that speaks of a field is none', () => {
  expect(withoutPeople('The columns “Your field “Ada Lovelace”” and “b” both match the field “Email”.')).not.toContain(
    'Ada',
  )
})

test('a quotation that does not end is none of our words', () => {
  expect(withoutPeople('The column “Ada Lovelace\nThe course requires the field “Email”.')).toBe(
    'The column “…”\nThe course requires the field “Email”.',
  )
})

test('a value is not shown, even if the configuration has it', () => {
  const sentence = shown(['Email', 'First Name'], { 'Primary Value': { value: 'Ada Lovelace' } })
  expect(sentence).toContain('The primary value must name a field, and “…” is not in the course.')
  expect(sentence).not.toContain('Lovelace')
})
