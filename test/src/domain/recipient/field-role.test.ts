// Which fields have which role, by their names.

import { describe, expect, test } from 'vitest'
import { recipientFields } from '#sandboxes/service/recipient-fields.ts'
import {
  type FieldRole,
  fieldWithRole,
  keyWithRole,
  nameFieldsOf,
  roleOf,
  roleOfName,
} from '#src/domain/recipient/field-role.ts'
import { aField } from './fields.ts'

describe('the role of a field', () => {
  test.each<[string, FieldRole | null]>([
    ['Email', 'email'],
    ['email_', 'email'],
    ['E-Mail Address', 'email'],
    ['Email ID', 'email'],
    ['Contact Number', 'phone'],
    ['contact_number', 'phone'],
    ['Mobile', 'phone'],
    ['Phone (personal)', 'phone'],
    ['Dial code', 'dial code'],
    ['dial_code_country_id', 'dial code'],
    ['First Name', 'first name'],
    ['fname', 'first name'],
    ['Last Name', 'last name'],
    ['Surname', 'last name'],
    ['Primary Value', 'primary value'],
    ['Contact Email', null],
    ['Emergency Contact Name', null],
    ['Contact Person', null],
    ['Contact Hours', null],
    ['Contact sessions', null],
    ['Contact', 'phone'],
    ['Contact No', 'phone'],
    ['Parent Email', null],
    ['Register Number', null],
    ['Old Primary Value', null],
    ['Primary Values', null],
    ['Email Consent', null],
    ['Redial', null],
    ['Country Dial Code', 'dial code'],
    ['Old First Name', null],
    ['First Names', null],
    ['Old Surname', null],
    ['Surnames', null],
    ['Phone and Mail', null],
    ['Mail Phone', null],
    ['', null],
  ])('called %j is %j', (name, role) => {
    expect(roleOfName(name)).toBe(role)
  })

  test('comes from the internal name if the display name has no role', () => {
    expect(roleOf({ name: 'lname', displayName: 'Nachname' })).toBe('last name')
    expect(roleOf({ name: 'x1', displayName: 'Nachname' })).toBeNull()
  })

  test('occurs at most once among the service’s fields', () => {
    const roles = recipientFields.flatMap(({ name, display_name }) => roleOf({ name, displayName: display_name }) ?? [])
    expect(roles.toSorted()).toEqual(['dial code', 'email', 'first name', 'last name', 'phone', 'primary value'])
  })

  test('belongs to the service’s own field if several fields match, and to none if that is not among them', () => {
    expect(keyWithRole(['Emergency Phone', 'Contact Number'], 'phone')).toBe('Contact Number')
    expect(keyWithRole(['Home Phone', 'Mobile'], 'phone')).toBeUndefined()
    expect(keyWithRole(['Mobile'], 'phone')).toBe('Mobile')
    for (const [name, other, role] of [
      ['E-Mail Address', 'Email', 'email'],
      ['Dial', 'Dial Code', 'dial code'],
      ['Forename', 'First Name', 'first name'],
      ['Surname', 'Last Name', 'last name'],
      ['Primary Value', 'primary_value', 'primary value'],
    ] as const)
      expect(keyWithRole([name, other], role)).toBe(role === 'primary value' ? name : other)
    const list = [aField('Mobile'), aField('Number', { name: 'contact_number' })]
    expect(fieldWithRole(list, 'phone')?.displayName).toBe('Number')
  })

  test('finds the name fields by which two rows are compared, whatever the course calls them', () => {
    const list = [aField('Familienname', { name: 'lname' }), aField('Vorname', { name: 'fname' }), aField('Email')]
    expect(nameFieldsOf(list)).toEqual(['Vorname', 'Familienname'])
    expect(nameFieldsOf([aField('Email')])).toEqual([])
  })
})
