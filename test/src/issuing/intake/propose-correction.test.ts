// The data of a correction: from the command line or from a source row.

import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { identify } from '#src/domain/credential/person-hashes.ts'
import {
  CorrectionError,
  correctionLines,
  proposeCorrection,
  proposeFromRow,
  readCorrections,
} from '#src/issuing/intake/propose-correction.ts'
import { aCourse, aRecipient, byPrimaryValue } from '#test/support/domain-objects.ts'
import { sandboxFields as fields } from '#test/support/sandbox-fields.ts'

const hasher = new Hasher(Buffer.alloc(32, 7))
const columns = { Email: 'e_mail', 'Primary Value': { value: 'Email' } }
const pipeline = { columns, identity: [], occurrence: [], correlation: undefined }
const tools = { pipeline, fields, hasher }
const recipient = aRecipient(1)
const { issuanceKey } = identify(recipient, aCourse, byPrimaryValue, hasher)
const known = { recipient, issuanceKey, courseUuid: aCourse }

/** Returns the message of the CorrectionError that `work` throws. */
function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof CorrectionError) return error.message
    throw error
  }
  throw new Error('No CorrectionError was thrown.')
}

describe('the data of a correction', () => {
  test('are the old data with the given changes, and the issuance key stays the same', () => {
    const change = readCorrections(['last name = Byron', 'Register Number='], fields)
    const proposed = proposeCorrection(known, change, tools)
    expect(proposed.recipient).toEqual({ ...recipient, 'Last Name': 'Byron' })
    expect(proposed.changedFields).toEqual(['Last Name'])
    expect(proposed.issuanceKey).toEqual(issuanceKey)
    expect(correctionLines(recipient, proposed.recipient, fields)).toEqual([
      'Last Name: L… (8 characters) → B… (5 characters)',
    ])
  })

  test('may have the identity in another spelling, but must not change it', () => {
    expect(proposeCorrection(known, { Email: 'PERSON.1@example.org' }, tools).issuanceKey).toEqual(issuanceKey)
    expect(refusal(() => proposeCorrection(known, { Email: 'other@example.org' }, tools))).toContain(
      'With other values for Email the row is another person',
    )
  })

  test('must be valid for the course, and must name existing fields', () => {
    const sentence = refusal(() => proposeCorrection(known, { 'First Name': '' }, tools))
    expect(sentence).toContain('the course requires “First Name”')
    expect(refusal(() => proposeCorrection(known, { 'Last Name': 'x'.repeat(300) }, tools))).not.toContain('xxxx')
    expect(refusal(() => readCorrections(['Lst Name=Byron'], fields))).toContain('Did you mean the field “Last Name”?')
    expect(refusal(() => readCorrections(['Byron'], fields))).toContain('FIELD=VALUE')
    expect(refusal(() => proposeCorrection(known, { 'Last Name': 'Lovelace' }, tools))).toContain('Nothing differs')
  })

  test('may come from a source row, in which empty cells change nothing', () => {
    const header = ['e_mail', 'First Name', 'Last Name', 'Birth Date']
    const full = { ...recipient, 'Birth Date': '1815-12-10' }
    const row = { header, format: 'csv' as const, row: 7, cells: ['person.1@example.org', 'Ada1', 'Byron', ''] }
    expect(proposeFromRow({ ...known, recipient: full }, row, tools)).toMatchObject({
      recipient: { ...full, 'Last Name': 'Byron' },
      changedFields: ['Last Name'],
    })
    // Whether the row would be meant now makes no difference: the person has a credential.
    const settings = { ...tools, pipeline: { ...pipeline, where: { Passed: ['yes'] } } }
    expect(proposeFromRow({ ...known, recipient: full }, row, settings).changedFields).toEqual(['Last Name'])
    const wrong = { ...row, cells: ['person.1@example.org', '', 'Byron', ''] }
    expect(refusal(() => proposeFromRow(known, wrong, tools))).toContain('Row 7 is not valid with the current settings')
    const other = { ...row, cells: ['person.2@example.org', 'Ada1', 'Byron', ''] }
    expect(refusal(() => proposeFromRow(known, other, tools))).toContain('another person')
  })

  test.each<[string[], Record<string, string>]>([
    [['last name = Byron', 'reg_no=17'], { 'Last Name': 'Byron', 'Register Number': '17' }],
    [['Last Name= a = b '], { 'Last Name': 'a = b' }],
    [['Last Name='], { 'Last Name': '' }],
    [[], {}],
  ])('are parsed from the arguments %j', (args, values) => {
    expect({ ...readCorrections(args, fields) }).toEqual(values)
  })

  test.each([
    ['=Byron', 'Write --set as FIELD=VALUE, such as --set "Last Name=Byron".'],
    ['Byron', 'Write --set as FIELD=VALUE, such as --set "Last Name=Byron".'],
    ['x =1', 'The course has no field “x”.'],
  ])('are not parsed from the argument %j', (arg, message) => {
    expect(refusal(() => readCorrections([arg], fields))).toContain(message)
  })

  test('are refused with an error of their own', () => {
    expect(() => readCorrections(['x'], fields)).toThrow(expect.objectContaining({ name: 'CorrectionError' }))
    const change = { Email: 'other@example.org', 'Last Name': 'Byron' }
    expect(refusal(() => proposeCorrection(known, change, tools))).toMatch(
      /^With other values for Email, Last Name the/,
    )
  })

  test('leave out a field that the change empties', () => {
    const before = { ...recipient, 'Register Number': '17' }
    const proposed = proposeCorrection({ ...known, recipient: before }, { 'Register Number': '' }, tools)
    expect(proposed).toMatchObject({ recipient, changedFields: ['Register Number'] })
    expect(Object.keys(proposed.recipient)).not.toContain('Register Number')
  })

  test('are refused with every fault of the values, one to a line', () => {
    const change = { 'First Name': '', 'Birth Date': 'soon' }
    expect(refusal(() => proposeCorrection(known, change, tools)).split('\n')).toEqual([
      expect.stringContaining('the course requires “First Name”'),
      expect.stringContaining('“Birth Date” holds'),
    ])
  })

  test.each([
    ['a rule that names no field', { identity: ['Nobody'] }, /^identity names the field “Nobody”, and the course has/],
    ['two such rules', { identity: ['Nobody'], occurrence: ['Never'] }, /“Nobody”.*\n.*“Never”/],
    ['an identity that is empty', { identity: ['Register Number'] }, /^The field Register Number identifies the rec/],
  ])('are refused for %s', (_, more, message) => {
    const change = { 'Last Name': 'Byron' }
    const changed = { ...tools, pipeline: { ...pipeline, ...more } }
    expect(refusal(() => proposeCorrection(known, change, changed))).toMatch(message)
  })

  test('of a repeated completion keep its occasion', () => {
    const occasion = new Date('2026-03-01T12:00:00Z')
    const again = identify(recipient, aCourse, byPrimaryValue, hasher, occasion)
    const change = { 'Last Name': 'Byron' }
    const repeated = { ...known, issuanceKey: again.issuanceKey }
    expect(proposeCorrection({ ...repeated, occasion }, change, tools).issuanceKey).toEqual(again.issuanceKey)
    expect(refusal(() => proposeCorrection({ ...repeated, occasion: null }, change, tools))).toContain('another person')
  })
})

describe('a correction from a source row', () => {
  const header = ['e_mail', 'First Name', 'Last Name', 'born', 'Photo']
  const cells = ['person.1@example.org', 'Ada1', 'Lovelace', '', 'a.png']
  const row = { header, format: 'csv' as const, row: 7, cells }
  const image = Buffer.from('a hash')

  test('may change only the image, and names its column', () => {
    expect(proposeFromRow(known, { ...row, image }, tools)).toMatchObject({
      ...{ recipient, changedFields: ['Photo'], imageSha256: image, issuanceKey },
    })
    expect(refusal(() => proposeFromRow(known, { ...row, image: null }, tools))).toContain('Nothing differs')
    const changed = { ...row, cells: cells.with(2, 'Byron') }
    expect(proposeFromRow(known, changed, tools)).toMatchObject({ changedFields: ['Last Name'], imageSha256: null })
  })

  test('names the image column that the pipeline declares', () => {
    const withBatch = (imageColumn?: string) => ({
      ...tools,
      pipeline: { ...pipeline, batch: { size: 1, mode: 'upload' as const, imageColumn } },
    })
    const changedFields = (imageColumn?: string, titles = header) =>
      proposeFromRow(known, { ...row, header: titles, image }, withBatch(imageColumn)).changedFields
    expect(changedFields('born')).toEqual(['born'])
    expect(changedFields()).toEqual(['Photo'])
    expect(changedFields(undefined, header.with(4, 'file'))).toEqual(['image'])
  })

  test('is refused with everything that is wrong with the row', () => {
    const wrong = { ...row, cells: ['nobody', '', 'Byron', '', ''] }
    expect(refusal(() => proposeFromRow(known, wrong, tools)).split('\n')).toEqual([
      'Row 7 is not valid with the current settings:',
      expect.stringMatching(/^“e_mail” holds/),
      expect.stringMatching(/^“First Name” is empty/),
    ])
  })

  test.each(['born 1815-12-10', '1815-12-10 (born)'])('reads %s of a workbook as text', (name) => {
    const named = { ...row, format: 'xlsx' as const, cells: cells.with(2, name) }
    expect(proposeFromRow(known, named, tools).recipient['Last Name']).toBe(name)
  })

  test('reads a date of a workbook as it is stored, whatever format the pipeline declares', () => {
    const declared = { ...columns, 'Birth Date': { column: 'born', date: 'YYYY.MM.DD' } }
    const dated = { ...tools, pipeline: { ...pipeline, columns: declared } }
    const withDate = { ...row, cells: cells.with(3, '1815-12-10') }
    expect(proposeFromRow(known, { ...withDate, format: 'xlsx' }, dated).recipient).toEqual({
      ...recipient,
      'Birth Date': '1815-12-10',
    })
    expect(refusal(() => proposeFromRow(known, withDate, dated))).toContain('“born” holds')
    const written = { ...row, format: 'xlsx' as const, cells: cells.with(3, '1815.12.10') }
    expect(proposeFromRow(known, written, dated).recipient['Birth Date']).toBe('1815-12-10')
  })
})

test('a correction is shown with masked values, sorted by field', () => {
  const before = { 'Primary Value': 'Email', 'Last Name': 'Lovelace', 'Birth Date': '1815-12-10', Room: 'north' }
  const after = { 'Primary Value': 'Contact Number', 'Last Name': 'Lovelock', 'Birth Date': '1815-12-11', Wing: 'east' }
  expect(correctionLines(before, after, fields)).toEqual([
    'Birth Date: 9999-99-99 → 9999-99-99 (the values differ, but look the same when masked)',
    'Last Name: L… (8 characters) → L… (8 characters) (the values differ, but look the same when masked)',
    'Primary Value: Email → Contact Number',
    'Room: n… (5 characters) → (empty)',
    'Wing: (empty) → e… (4 characters)',
  ])
  expect(correctionLines({ Room: '', Wing: 'east' }, { Wing: 'east', Floor: '' }, fields)).toEqual([])
})
