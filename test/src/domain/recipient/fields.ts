// A field list like the service's, for the tests in this directory.

import type { Field } from '#src/domain/recipient/field.ts'

/** Returns a field that has only the given rules. */
export function aField(displayName: string, rest: Partial<Field> = {}): Field {
  return {
    name: displayName.toLowerCase().replaceAll(' ', '_'),
    displayName,
    type: 'string',
    inputType: 'text',
    required: false,
    unique: false,
    regex: '',
    sampleValue: '',
    maxLength: null,
    min: null,
    max: null,
    options: [],
    ...rest,
  }
}

export const courseFields: Field[] = [
  aField('Email', {
    name: 'email_',
    required: true,
    unique: true,
    regex: '^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+$',
    maxLength: 60,
  }),
  aField('First Name', { name: 'fname', required: true, maxLength: 20 }),
  aField('Last Name', { name: 'lname', maxLength: 20 }),
  aField('Contact Number', { name: 'contact_number', regex: '/^\\+?[0-9]{6,15}$/' }),
  aField('Birth Date', { name: 'birth_date', type: 'date', inputType: 'date-picker', max: '2010-12-31' }),
  aField('Salutation', { inputType: 'drop-down', options: ['Mr.', 'Ms.', 'Dr.'] }),
  aField('Primary Value', { name: 'primary_value', required: true }),
]
