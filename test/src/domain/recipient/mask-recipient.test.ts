// Recipients are displayed with masked values.

import { expect, test } from 'vitest'
import { maskRecipient } from '#src/domain/recipient/mask-recipient.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { aField, courseFields } from './fields.ts'

test('a recipient is shown field by field with masked values, except for constants and the primary value', () => {
  const fields = [...courseFields, aField('Batch'), aField('Code')]
  const header = ['Email', 'First Name', 'Birth Date', 'Primary Value', 'Code']
  const { plan } = planColumns(header, { Batch: { value: 'Spring 2026' } }, fields)
  const recipient = {
    Email: 'jane.doe@example.org',
    'First Name': 'Jane',
    'Birth Date': '1990-12-31',
    'Primary Value': 'Email',
    Batch: 'Spring 2026',
    Code: 'X1',
  }
  const masked = maskRecipient(recipient, plan)
  expect({ ...masked }).toEqual({
    Email: 'j…@e….org',
    'First Name': 'J… (4 characters)',
    'Birth Date': '9999-99-99',
    'Primary Value': 'Email',
    Batch: 'Spring 2026',
    Code: '… (2 characters)',
  })
})

test('a field that is not sent is not shown', () => {
  const { plan } = planColumns(['Email', 'First Name'], {}, courseFields)
  expect(Object.keys(maskRecipient({ Email: 'a@b.org' }, plan))).toEqual(['Email'])
})

test('a date in a column with a declared format is reduced to its shape', () => {
  const { plan } = planColumns(['Born'], { Born: { column: 'Born', date: 'DD.MM.YYYY' } }, [aField('Born')])
  expect({ ...maskRecipient({ Born: '1990-12-31' }, plan) }).toEqual({ Born: '9999-99-99' })
})
