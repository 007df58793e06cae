import { describe, expect, test } from 'vitest'
import {
  type FieldRole,
  fieldWithRole,
  keyWithRole,
  nameFieldsOf,
  roleOf,
  roleOfName,
} from '#src/recipients/field-role.ts'
import { recipientFields } from '#src/sandbox/recipient-fields.ts'
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
    ['', null],
  ])('called %j is %j', (name, role) => {
    expect(roleOfName(name)).toBe(role)
  })

  test('is told by the internal name where the shown one says nothing', () => {
    expect(roleOf({ name: 'lname', displayName: 'Nachname' })).toBe('last name')
    expect(roleOf({ name: 'x1', displayName: 'Nachname' })).toBeNull()
  })

  test('is each had once by the fields of the service', () => {
    const roles = recipientFields.flatMap(({ name, display_name }) => roleOf({ name, displayName: display_name }) ?? [])
    expect(roles.toSorted()).toEqual(['dial code', 'email', 'first name', 'last name', 'phone', 'primary value'])
  })

  test('belongs to the service’s own field where several have it, and to none where no one is that', () => {
    expect(keyWithRole(['Emergency Phone', 'Contact Number'], 'phone')).toBe('Contact Number')
    expect(keyWithRole(['Home Phone', 'Mobile'], 'phone')).toBeUndefined()
    expect(keyWithRole(['Mobile'], 'phone')).toBe('Mobile')
    const list = [aField('Mobile'), aField('Number', { name: 'contact_number' })]
    expect(fieldWithRole(list, 'phone')?.displayName).toBe('Number')
  })

  test('gives the names by which two rows are compared, whatever the course calls them', () => {
    const list = [aField('Familienname', { name: 'lname' }), aField('Vorname', { name: 'fname' }), aField('Email')]
    expect(nameFieldsOf(list)).toEqual(['Vorname', 'Familienname'])
  })
})
