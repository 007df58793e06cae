// The made-up people of a probe, against field lists of several kinds.

import { describe, expect, test } from 'vitest'
import { ProbeImpossibleError, planProbe } from '#src/probe/throwaway-people.ts'
import { checkValue } from '#src/recipients/check-value.ts'
import { compileRules } from '#src/recipients/compile-rules.ts'
import type { Field } from '#src/recipients/field.ts'
import { recipientFault } from '#src/sandbox/check-recipient.ts'
import { recipientFields } from '#src/sandbox/recipient-fields.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'

const tag = 'kxqwzm'

function aField(name: string, more: Partial<Field> = {}): Field {
  const text = { type: 'string', inputType: 'text', required: true, unique: false, regex: '', sampleValue: '' }
  return { name, displayName: name, ...text, maxLength: null, min: null, max: null, options: [], ...more }
}
const email = aField('email_', { displayName: 'Email' })

const everybody = (plan: ReturnType<typeof planProbe>) => [plan.twice, plan.control, ...plan.good]

describe('a throwaway recipient', () => {
  test('fits the field list in every field, by our rules and by the sandbox', () => {
    const plan = planProbe(sandboxFields, {}, tag)
    const rules = compileRules(sandboxFields)
    for (const { values } of everybody(plan)) {
      expect(Object.keys(values)).toEqual(sandboxFields.map((field) => field.displayName))
      for (const [name, value] of Object.entries(values)) {
        const rule = rules.byField.get(name)
        expect(rule && checkValue(value, rule)).toEqual([])
      }
      expect(recipientFault(values, recipientFields)).toBeNull()
    }
    expect(plan.sent).toBe(6)
  })

  test('is nobody: an address that takes no mail, a number kept free for drama', () => {
    for (const { values } of everybody(planProbe(sandboxFields, {}, tag))) {
      expect(values.Email).toMatch(/^credsync-probe-kxqwzm-\d@example\.org$/)
      expect(values['Contact Number']).toMatch(/^07700900\d{3}$/)
      expect(values['Dial code']).toBe('+44')
    }
  })

  test('shares no value of its own with another one', () => {
    const own = everybody(planProbe(sandboxFields, {}, tag)).flatMap((person) => person.own)
    expect(own.length).toBeGreaterThan(4 * 3)
    expect(new Set(own).size).toBe(own.length)
  })

  test.each<[string, Field, RegExp]>([
    ['a pattern of digits', aField('n', { regex: '^[0-9]{6,12}$' }), /^0\d{5,11}$/],
    [
      'a pattern of the shape of its sample',
      aField('n', { regex: '^[A-Z]{2}-[0-9]{4}$', sampleValue: 'AB-1234' }),
      /^[A-Z]{2}-\d{4}$/,
    ],
    ['a short text', aField('n', { maxLength: 4 }), /^.{4}$/],
    ['a choice', aField('n', { inputType: 'drop-down', options: ['Mr', 'Ms'] }), /^Mr$/],
    ['a choice without its list', aField('n', { inputType: 'drop-down', sampleValue: 'Dr' }), /^Dr$/],
    [
      'a date with bounds',
      aField('n', { inputType: 'date-picker', min: '2030-05-01', max: '2030-05-31' }),
      /^2030-05-01$/,
    ],
    ['a pattern that cannot be checked here', aField('n', { regex: '^(?=x)x$', sampleValue: 'x' }), /^x$/],
  ])('fits %s', (_, field, shape) => {
    expect(planProbe([email, field], {}, tag).twice.values.n).toMatch(shape)
  })

  test('says what the pipeline says to everybody, where there is a choice', () => {
    const field = aField('Salutation', { inputType: 'drop-down' })
    expect(planProbe([email, field], { Salutation: 'Mx' }, tag).twice.values.Salutation).toBe('Mx')
  })

  test('is found by its number where there is no address', () => {
    const phone = aField('contact_number', { displayName: 'Contact Number' })
    const { search } = planProbe([phone, aField('fname')], {}, tag).twice
    expect(search).toEqual({ contact_number: expect.stringMatching(/^07700900/) })
  })

  test.each<[string, Field[], string]>([
    ['a required choice has no list', [email, aField('Country', { inputType: 'drop-down' })], '“Country”'],
    ['a required pattern fits nothing made up', [email, aField('Code', { regex: '^#{30}$' })], '“Code”'],
    ['nothing would find it again', [aField('fname')], 'says who'],
  ])('cannot be made when %s, and that is said', (_, fields, words) => {
    expect(() => planProbe(fields, {}, tag)).toThrow(ProbeImpossibleError)
    expect(() => planProbe(fields, {}, tag)).toThrow(words)
  })

  test('leaves out what is not required and cannot be filled', () => {
    const field = aField('Country', { inputType: 'drop-down', required: false })
    expect(planProbe([email, field, aField('fname')], {}, tag).twice.values).not.toHaveProperty('Country')
  })
})

describe('the bad recipient', () => {
  test('breaks one rule that the sandbox checks, and keeps the address by which it is found', () => {
    const { bad } = planProbe(sandboxFields, {}, tag)
    expect(bad?.broke).toBe('First Name is empty')
    expect(recipientFault(bad?.person.values, recipientFields)).toBe('First Name is required')
    expect(bad?.person.values.Email).toMatch(/^credsync-probe-/)
  })

  test.each<[string, Field[], string]>([
    ['a date', [email, aField('d', { inputType: 'date-picker', required: false })], 'd is no date'],
    ['a length', [email, aField('t', { maxLength: 20, required: false })], 't is too long'],
    [
      'a pattern',
      [email, aField('t', { regex: '^[A-Za-z0-9]{5,}$', required: false })],
      't is not written as its pattern wants',
    ],
    [
      'the pattern of the address when there is nothing else',
      [{ ...email, regex: '@' }],
      'Email is not written as its pattern wants',
    ],
  ])('breaks %s where no field is required', (_, fields, broke) => {
    expect(planProbe(fields, {}, tag).bad?.broke).toBe(broke)
  })

  test('is left out where there is no rule to break', () => {
    expect(planProbe([email], {}, tag)).toMatchObject({ bad: null, sent: 3 })
  })
})
