// Checking source rows against the pipeline and the course.

import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { identify } from '#src/domain/credential/person-hashes.ts'
import { openRowCheck, type RowCheckInput } from '#src/issuing/intake/row-check.ts'
import { aField, courseFields } from '#test/src/domain/recipient/fields.ts'
import { aCourse, byPrimaryValue } from '#test/support/domain-objects.ts'

const hasher = new Hasher(Buffer.alloc(32, 1))
const header = ['e_mail', 'First Name', 'Last Name', 'shoe size']
const columns = { Email: 'e_mail', 'Primary Value': { value: 'Email' } }

function openCheck(more: Partial<RowCheckInput['pipeline']> = {}, fields = courseFields, titles = header) {
  const pipeline = { columns, identity: [], occurrence: [], correlation: undefined, ...more }
  return openRowCheck({ pipeline, fields, header: titles, course: aCourse, hasher })
}
const ada = ['ada@example.org', 'Ada', 'Lovelace', '38']
const violationsOf = (staged: { violations: readonly object[] | null }) =>
  (staged.violations ?? []) as { rule: string; row: number; sentence: string }[]

describe('a row of a source', () => {
  test('that is valid is identified and keeps its cells unchanged', () => {
    const staged = openCheck().row({ row: 2, cells: ada })
    expect(staged).toMatchObject({ row: 2, cells: ada, violations: null })
    expect({ ...staged.recipient }).toEqual({
      Email: 'ada@example.org',
      'First Name': 'Ada',
      'Last Name': 'Lovelace',
      'Primary Value': 'Email',
    })
    expect(staged.matchHashes).toEqual([hasher.match('email', 'ada@example.org')])
    expect(staged.issuanceKey).toHaveLength(32)
  })

  test('that breaks a rule of the course has no recipient and no hashes', () => {
    const staged = openCheck().row({ row: 3, cells: ['nobody', 'Ada', '', ''] })
    expect(staged).toMatchObject({ recipient: null, issuanceKey: null, identityHash: null, matchHashes: null })
    expect(violationsOf(staged).map((violation) => violation.row)).toEqual([3])
  })

  test('that the source could not read is rejected with the source’s message', () => {
    const problem = { rule: 'ragged-row' as const, sentence: 'The row has 5 cells.' }
    const staged = openCheck().row({ row: 4, cells: [...ada, 'more'], problem })
    expect(staged.violations).toEqual([{ row: 4, column: '', field: '', value: '', ...problem }])
    expect(staged).toMatchObject({ cells: [...ada, 'more'], recipient: null, identityHash: null })
  })

  test('without its occasion is rejected with a message that names the field', () => {
    const check = openCheck({ occurrence: ['Birth Date'] })
    const sentence =
      'The field Birth Date identifies the recipient, and it is empty. Fill it in the source and issue the row again.'
    expect(check.row({ row: 5, cells: ada }).violations).toEqual([
      { row: 5, column: '', field: 'Birth Date', rule: 'identity', value: '', sentence },
    ])
    const withColumn = openCheck({ occurrence: ['Birth Date'] }, courseFields, [...header, 'Birth Date'])
    expect(withColumn.row({ row: 5, cells: [...ada, ''] }).violations).toEqual([
      { row: 5, column: 'Birth Date', field: 'Birth Date', rule: 'identity', value: '', sentence },
    ])
  })

  test('that is rejected keeps only the identity and the name of its person', () => {
    const check = openCheck({ columns: { ...columns, 'Birth Date': 'born' } }, courseFields, [...header, 'born'])
    const late = check.row({ row: 3, cells: [...ada, 'yesterday'] })
    expect(violationsOf(late).map(({ rule }) => rule)).toEqual(['date'])
    expect(late).toMatchObject({ issuanceKey: null, matchHashes: null })
    expect(late.identityHash).toEqual(check.row({ row: 4, cells: [...ada, ''] }).identityHash)
    expect({ ...late.recipient }).toEqual({ 'First Name': 'Ada', 'Last Name': 'Lovelace' })
  })

  test('that repeats a person is not a violation, because the ledger counts it as known', () => {
    const check = openCheck()
    const [first, second] = [2, 3].map((row) => check.row({ row, cells: ada }))
    expect(second?.violations).toBeNull()
    expect(second?.issuanceKey).toEqual(first?.issuanceKey)
  })

  test('that conflicts with an earlier row is stored with all that is known about its person, and nothing to send', () => {
    const unique = courseFields.map((field) => ({ ...field, unique: field.displayName === 'Last Name' }))
    const check = openCheck({}, unique)
    check.row({ row: 2, cells: ada })
    const cells = ['bob@example.org', 'Bob', 'Lovelace', '']
    const sentence =
      '“Last Name” holds L… (8 characters), which row 2 has for another person, and the course requires “Last Name” to be unique. Correct the row that has the wrong value.'
    const place = { row: 3, column: 'Last Name', field: 'Last Name' }
    expect(check.row({ row: 3, cells, raw: '[]' })).toEqual({
      ...{ row: 3, cells, raw: '[]', recipient: { 'First Name': 'Bob', 'Last Name': 'Lovelace' } },
      ...{ issuanceKey: null, matchHashes: null, identityHash: hasher.identity({ Email: 'bob@example.org' }) },
      violations: [{ ...place, rule: 'unique', value: 'L… (8 characters)', sentence }],
    })
    expect(check.shared()).toEqual(new Map([[2, new Map([['Last Name', 3]])]]))
  })

  test('that repeats both a unique value and a person is rejected for both reasons', () => {
    const check = openCheck({ columns: { Email: 'e_mail' } }, courseFields, [
      ...header,
      'Contact Number',
      'Primary Value',
    ])
    check.row({ row: 2, cells: [...ada, '1711234567', 'Email'] })
    const found = violationsOf(check.row({ row: 3, cells: [...ada, '1711234567', 'Contact Number'] }))
    expect(found.map(({ rule }) => rule)).toEqual(['unique', 'person_twice'])
  })

  test('that is rejected keeps only the names that it has', () => {
    const check = openCheck({ columns: { ...columns, 'Birth Date': 'born' } }, courseFields, [...header, 'born'])
    const staged = check.row({ row: 3, cells: ['ada@example.org', 'Ada', '', '38', 'yesterday'] })
    expect({ ...staged.recipient }).toEqual({ 'First Name': 'Ada' })
  })

  test('of a repeated completion is a credential of its own for the same person', () => {
    const occasion = new Date('2026-03-01T12:00:00Z')
    const [first, again] = [{}, { occasion }].map((more) => openCheck().row({ row: 2, cells: ada, ...more }))
    const recipient = { ...first?.recipient }
    expect(again?.issuanceKey).toEqual(identify(recipient, aCourse, byPrimaryValue, hasher, occasion).issuanceKey)
    expect(first?.issuanceKey).toEqual(identify(recipient, aCourse, byPrimaryValue, hasher).issuanceKey)
    expect(again?.identityHash).toEqual(first?.identityHash)
  })

  test('is stored without characters that the database cannot store', () => {
    const { cells } = openCheck().row({ row: 6, cells: ['a\0b', '\ud800', 'Ada', ''] })
    expect(cells).toEqual(['a\ufffdb', '\ufffd', 'Ada', ''])
  })
})

describe('a resubmitted invalid-rows file', () => {
  const ours = ['row', 'column', 'rule', 'what_to_do', 'e_mail', 'First Name', 'Last Name', 'empty_when_mended']
  const open = (titles: string[], fields = courseFields) =>
    openRowCheck({
      pipeline: { columns, identity: [], occurrence: [], correlation: undefined },
      fields,
      header: titles,
      course: aCourse,
      hasher,
    })
  const cells = ['2', 'x', 'y', 'z', 'ada@example.org', 'Ada', 'Lovelace']

  test('does not fill fields from the columns that credsync added, and gives no notice about them', () => {
    const check = open(ours, [...courseFields, aField('Row'), aField('Rule')])
    expect(check.notices).toEqual([])
    expect(Object.keys(check.row({ row: 2, cells: [...cells, ''] }).recipient ?? {})).not.toContain('Row')
  })

  test('has each row rejected while the resubmission marker is there, even if nothing else is wrong', () => {
    const staged = open(ours).row({ row: 2, cells: [...cells, ' a reason'] })
    const sentence =
      'The row was rejected before, for the reason that is still in “empty_when_mended”. Fix the problem, and then empty that cell.'
    expect(staged.violations).toEqual([
      { row: 2, column: 'empty_when_mended', field: '', rule: 'not_mended', value: '', sentence },
    ])
    expect(open(ours).row({ row: 2, cells }).violations).toBeNull()
    expect(violationsOf(open(ours).row({ row: 2, cells: [...cells, ' '] }))).toEqual([])
  })

  test('is distinguished from a list with its own columns Row and Rule', () => {
    const check = open([...header, 'Row', 'Rule'], [...courseFields, aField('Row'), aField('Rule')])
    expect(check.row({ row: 2, cells: [...ada, '17', 'a'] }).recipient).toMatchObject({ Row: '17', Rule: 'a' })
  })
})

describe('a file', () => {
  test('with hundreds of unused columns gives a notice with a few of them, truncated', () => {
    const many = Array.from({ length: 500 }, (_, at) => `${at} ${'x'.repeat(30_000)}`)
    const notice = openCheck({}, courseFields, [...header, ...many]).notices.join()
    expect(notice).toContain('shoe size, 0 xxx')
    expect(notice).toContain('… and 489 more.')
    expect(notice.length).toBeLessThan(1_000)
  })

  test.each([
    ['in the learning system', 'campus', /\bfile\b|encoding|spreadsheet program|rows/],
    ['in the file', undefined, /learning system/],
  ])('with a damaged value gets a message that says what to do %s', (_, completionsOf, never) => {
    const pipeline = { columns, identity: [], occurrence: [], correlation: undefined }
    const tools = { fields: courseFields, course: aCourse, hasher, header, ...(completionsOf && { completionsOf }) }
    const check = openRowCheck({ pipeline, ...tools })
    const names = ['A\u0007da', 'A\u{FFFD}da', 'AdÃ© Ã¼', '=A1+B1', '1.2E+10', '#N/A', 'Ada\nB', '']
    for (const name of names) {
      const [found] = violationsOf(check.row({ row: 2, cells: ['ada@example.org', name, 'Lovelace', ''] }))
      if (name !== '1.2E+10') expect(found?.sentence, JSON.stringify(name)).toMatch(/\. \p{Lu}.*\.$/u)
      expect(found?.sentence ?? '', JSON.stringify(name)).not.toMatch(never)
    }
  })

  test('that does not fill a field gives no notice about the field’s unchecked rules', () => {
    const fields = [...courseFields, aField('Code', { regex: '(?=a)b', inputType: 'drop-down' })]
    expect(openCheck({}, fields).notices).toEqual(openCheck().notices)
  })
})
