// The test recipients of a probe, for several kinds of field lists.

import { describe, expect, test } from 'vitest'
import { recipientFault } from '#sandboxes/service/check-recipient.ts'
import { recipientFields } from '#sandboxes/service/recipient-fields.ts'
import { checkValue } from '#src/domain/recipient/check-value.ts'
import { compileRules } from '#src/domain/recipient/compile-rules.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { ProbeImpossibleError, planProbe } from '#src/extensions/probe/probe-recipients.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'

const tag = 'kxqwzm'

function aField(name: string, more: Partial<Field> = {}): Field {
  const text = { type: 'string', inputType: 'text', required: true, unique: false, regex: '', sampleValue: '' }
  return { name, displayName: name, ...text, maxLength: null, min: null, max: null, options: [], ...more }
}
const email = aField('email_', { displayName: 'Email' })

const everyone = ({ repeated, control }: ReturnType<typeof planProbe>) => [repeated, control]

describe('a test recipient', () => {
  test('is valid in every field, both for credsync and for the sandbox', () => {
    const plan = planProbe(sandboxFields, {}, tag)
    const rules = compileRules(sandboxFields)
    for (const { values } of everyone(plan)) {
      expect(Object.keys(values)).toEqual(sandboxFields.map((field) => field.displayName))
      for (const [name, value] of Object.entries(values)) {
        const rule = rules.byField.get(name)
        expect(rule && checkValue(value, rule)).toEqual([])
      }
      expect(recipientFault(values, recipientFields)).toBeNull()
    }
  })

  test('is not a real person: it has an undeliverable address and a phone number that is reserved for fiction', () => {
    for (const { values } of everyone(planProbe(sandboxFields, {}, tag))) {
      expect(values.Email).toMatch(/^credsync-probe-kxqwzm-\d@example\.org$/)
      expect(values['Contact Number']).toMatch(/^07700900\d{3}$/)
      expect(values['Dial code']).toBe('+44')
    }
  })

  test('shares no unique value with another test recipient', () => {
    const unique = everyone(planProbe(sandboxFields, {}, tag)).flatMap((person) => person.unique)
    expect(unique.length).toBeGreaterThan(2 * 3)
    expect(new Set(unique).size).toBe(unique.length)
  })

  test.each<[string, Field, RegExp]>([
    ['a pattern of digits', aField('n', { regex: '^[0-9]{6,12}$' }), /^0\d{5,11}$/],
    [
      'a pattern that only values like the sample match',
      aField('n', { regex: '^[A-Z]{2}-[0-9]{4}$', sampleValue: 'AB-1234' }),
      /^[A-Z]{2}-\d{4}$/,
    ],
    ['a short text', aField('n', { maxLength: 4 }), /^.{4}$/],
    ['a choice field', aField('n', { inputType: 'drop-down', options: ['Mr', 'Ms'] }), /^Mr$/],
    ['a choice field without options', aField('n', { inputType: 'drop-down', sampleValue: 'Dr' }), /^Dr$/],
    [
      'a date with bounds',
      aField('n', { inputType: 'date-picker', min: '2030-05-01', max: '2030-05-31' }),
      /^2030-05-01$/,
    ],
    ['a pattern that cannot be checked here', aField('n', { regex: '^(?=x)x$', sampleValue: 'x' }), /^x$/],
  ])('has a valid value for %s', (_, field, shape) => {
    expect(planProbe([email, field], {}, tag).repeated.values.n).toMatch(shape)
  })

  test('uses the pipeline’s constants for choice fields', () => {
    const field = aField('Salutation', { inputType: 'drop-down' })
    expect(planProbe([email, field], { Salutation: 'Mx' }, tag).repeated.values.Salutation).toBe('Mx')
  })

  test('is searched by phone number if there is no e-mail address', () => {
    const phone = aField('contact_number', { displayName: 'Contact Number' })
    const { search } = planProbe([phone, aField('fname')], {}, tag).repeated
    expect(search).toEqual({ contact_number: expect.stringMatching(/^07700900/) })
  })

  test.each<[string, Field[], string]>([
    ['a required choice field has no options', [email, aField('Country', { inputType: 'drop-down' })], '“Country”'],
    ['a required pattern matches no invented value', [email, aField('Code', { regex: '^#{30}$' })], '“Code”'],
    ['no field can be searched', [aField('fname')], 'identifies a person'],
  ])('cannot be created when %s, and this is reported', (_, fields, words) => {
    expect(() => planProbe(fields, {}, tag)).toThrow(ProbeImpossibleError)
    expect(() => planProbe(fields, {}, tag)).toThrow(words)
  })

  test('omits optional fields that cannot be filled', () => {
    const field = aField('Country', { inputType: 'drop-down', required: false })
    expect(planProbe([email, field, aField('fname')], {}, tag).repeated.values).not.toHaveProperty('Country')
  })
})
