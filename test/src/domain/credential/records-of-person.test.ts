// Which records are taken for those of a person who is to be forgotten.

import { describe, expect, test } from 'vitest'
import { ownFieldsOf } from '#src/domain/credential/own-fields.ts'
import {
  type PersonRecord,
  recordOf,
  verdictOn,
  verdictOnCells,
  verdictOnRow,
} from '#src/domain/credential/records-of-person.ts'

const nameFields = ['First Name', 'Last Name']
let lastId = 0

function record(
  recipient: Record<string, string>,
  { identity = [] as string[], identityHash = JSON.stringify(recipient), linked = [] as number[], source = 'a' } = {},
): PersonRecord {
  lastId += 1
  const comparison = { identity, occurrence: [], nameFields }
  return recordOf({ id: lastId, source, identityHash, recipient, linked }, comparison)
}

const ann = { Email: 'Family@Example.org', 'First Name': 'Ann', 'Last Name': 'Abell', 'Primary Value': 'Email' }
const bob = { ...ann, 'First Name': 'Bob' }
const byPhone = { ...ann, Email: '', 'Contact Number': '0171 2345', 'Primary Value': 'Contact Number' }

describe('a record belongs to a person', () => {
  test.each([
    [
      'with the same address and name, however they are written',
      ann,
      { ...ann, Email: ' family@example.org', 'Last Name': 'ABELL' },
      'same',
    ],
    ['with the same address and another name: perhaps', ann, bob, 'unsure'],
    ['with the same address and no name: perhaps', ann, { Email: ann.Email }, 'unsure'],
    ['with the same name only: never', ann, { ...ann, Email: 'ann@example.org' }, 'other'],
    [
      'with the same number and name, under another Primary Value',
      { ...ann, 'Contact Number': '(0171) 23-45' },
      byPhone,
      'same',
    ],
    [
      'with no name on either side and the same address: perhaps',
      { Email: 'a@b.org' },
      { Email: 'a@b.org', Course: 'x' },
      'unsure',
    ],
  ])('%s', (_, known, other, expected) => {
    expect(verdictOn(record(other), [record(known)])).toBe(expected)
    expect(verdictOn(record(known), [record(other)])).toBe(expected)
  })

  test('by the identity fields of the pipeline, whatever the name', () => {
    const rule = { identity: ['Register Number'], identityHash: 'r1' }
    const known = record({ ...ann, 'Register Number': '17' }, rule)
    expect(verdictOn(record({ ...bob, Email: 'x@example.org', 'Register Number': '17' }, rule), [known])).toBe('same')
    const other = { ...rule, identityHash: 'r2' }
    expect(verdictOn(record({ ...bob, 'Register Number': '18' }, other), [known])).toBe('other')
    expect(verdictOn(record({ ...ann, 'Register Number': '18' }, other), [known])).toBe('unsure')
  })

  test('by the identity fields of two pipelines only if the name agrees', () => {
    const rule = { identity: ['Employee'], identityHash: 'e17' }
    const [here, there] = [
      { ...rule, source: 'a' },
      { ...rule, source: 'b' },
    ]
    const at = (who: typeof ann, address: string) => ({ ...who, Email: address, Employee: '17' })
    const known = record(at(ann, 'ann@a.example.org'), here)
    expect(verdictOn(record(at(bob, 'bob@b.example.org'), there), [known])).toBe('unsure')
    expect(verdictOn(record(at(bob, 'bob@a.example.org'), here), [known])).toBe('same')
    expect(verdictOn(record(at(ann, 'ann@b.example.org'), there), [known])).toBe('same')
  })

  test('not by an identity if neither has a name', () => {
    const nameless = { Email: ann.Email, 'Primary Value': 'Email' }
    const known = record(nameless, { identityHash: 'same' })
    expect(verdictOn(record(nameless, { identityHash: 'same' }), [known])).toBe('unsure')
  })

  test('not by an identity that is only an address, unless the name agrees', () => {
    const known = record(ann, { identityHash: 'same' })
    expect(verdictOn(record(bob, { identityHash: 'same' }), [known])).toBe('unsure')
    expect(verdictOn(record(ann, { identityHash: 'same' }), [known])).toBe('same')
  })

  test('by a correction, whatever was corrected', () => {
    const known = record(ann)
    expect(verdictOn(record({ Email: 'other@example.org' }, { linked: [known.id] }), [known])).toBe('same')
  })

  test('not by a first name that is one of several identity fields', () => {
    const one = record({ ...ann, Firm: 'A' }, { identity: ['First Name', 'Last Name', 'Firm'] })
    const other = record({ ...ann, Email: 'b@example.org' }, { identity: ['First Name', 'Last Name'] })
    expect(verdictOn(other, [one])).toBe('other')
  })
})

describe('cells name a person', () => {
  test.each([
    [['FAMILY@example.org', 'Ann', 'Abell'], 'same'],
    [['family@example.org', 'Abell', 'x', 'Ann'], 'same'],
    [['family@example.org', 'Abell Ann'], 'same'],
    [['family@example.org', 'Bob', 'Abell'], 'unsure'],
    [['family@example.org'], 'unsure'],
    [['ann@example.org', 'Ann', 'Abell'], 'other'],
  ] as const)('%j: %s', (cells, expected) => {
    expect(verdictOnCells(cells, [record(ann)])).toBe(expected)
  })
})

describe('a row names its own person', () => {
  const teacher = ['family@example.org', 'Ann', 'Abell']
  test.each<[what: string, fields: Record<string, string>, others: string[], expected: string]>([
    ['in its fields', ann, [], 'same'],
    [
      'with both parts of the name in the wrong fields',
      { ...ann, 'First Name': 'Abell', 'Last Name': 'Ann' },
      [],
      'same',
    ],
    ['with the address in the field of the number', { ...ann, Email: '', 'Contact Number': ann.Email }, [], 'same'],
    ['beside somebody else', { ...bob, Email: 'bob@example.org' }, teacher, 'unsure'],
    ['without an address, beside somebody else', { 'First Name': 'Bob', 'Last Name': 'Abell' }, teacher, 'unsure'],
    ['with their name, and the address in another column', { ...ann, Email: '' }, teacher, 'unsure'],
    ['with their address, and the name in other columns', { Email: ann.Email }, teacher, 'unsure'],
    ['in other columns only', {}, teacher, 'unsure'],
    ['by the name only', { ...ann, Email: 'ann@example.org' }, [], 'other'],
  ])('%s', (_, fields, others, expected) => {
    const own = ownFieldsOf(fields, { identity: [], occurrence: [], nameFields })
    expect(verdictOnRow([...Object.values(fields), ...others], own, [record(ann)])).toBe(expected)
  })
})
