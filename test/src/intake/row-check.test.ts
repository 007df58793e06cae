import { describe, expect, test } from 'vitest'
import { refusalOf } from '#src/intake/refusal.ts'
import { openRowCheck, PlanError, type RowCheckInput } from '#src/intake/row-check.ts'
import { Hasher } from '#src/issuance/identity.ts'
import { CourseUnknownError } from '#src/pipelines/course-desk.ts'
import { PipelineUnknownError } from '#src/pipelines/pipelines.ts'
import { SourceError } from '#src/sources/source-error.ts'
import { aField, courseFields } from '#test/src/recipients/fields.ts'
import { aCourse } from '#test/support/build.ts'

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
  test('that is in order is identified and keeps its cells as they were', () => {
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

  test('that the source could not read is refused with the words of the source', () => {
    const problem = { rule: 'ragged-row' as const, sentence: 'The row has 5 cells.' }
    const staged = openCheck().row({ row: 4, cells: [...ada, 'more'], problem })
    expect(violationsOf(staged)).toMatchObject([{ row: 4, ...problem }])
    expect(staged.cells).toHaveLength(5)
  })

  test('without its occasion is refused, by a sentence that names the field', () => {
    const check = openCheck({ occurrence: ['Birth Date'] })
    expect(violationsOf(check.row({ row: 5, cells: ada }))).toMatchObject([
      { rule: 'identity', sentence: expect.stringContaining('Birth Date') },
    ])
  })

  test('that is refused still says whom it names, where it does, and nothing else of them', () => {
    const check = openCheck({ columns: { ...columns, 'Birth Date': 'born' } }, courseFields, [...header, 'born'])
    const late = check.row({ row: 3, cells: [...ada, 'yesterday'] })
    expect(late.violations).not.toBeNull()
    expect(late).toMatchObject({ issuanceKey: null, matchHashes: null })
    expect(late.identityHash).toEqual(check.row({ row: 4, cells: [...ada, ''] }).identityHash)
    expect({ ...late.recipient }).toEqual({ 'First Name': 'Ada', 'Last Name': 'Lovelace' })
  })

  test('of the same person twice is no violation: the ledger counts it as known', () => {
    const check = openCheck()
    const [first, second] = [2, 3].map((row) => check.row({ row, cells: ada }))
    expect(second?.violations).toBeNull()
    expect(second?.issuanceKey).toEqual(first?.issuanceKey)
  })

  test('with a unique value of somebody else in the file is refused and names the earlier row', () => {
    const unique = courseFields.map((field) => ({ ...field, unique: field.displayName === 'Last Name' }))
    const check = openCheck({}, unique)
    check.row({ row: 2, cells: ada })
    const staged = check.row({ row: 3, cells: ['bob@example.org', 'Bob', 'Lovelace', ''] })
    expect(violationsOf(staged)).toMatchObject([{ rule: 'unique', sentence: expect.stringContaining('row 2') }])
  })

  test('keeps cells that the database can hold, whatever was in them', () => {
    const { cells } = openCheck().row({ row: 6, cells: ['a\0b', '\ud800', 'Ada', ''] })
    expect(cells).toEqual(['a\ufffdb', '\ufffd', 'Ada', ''])
  })
})

describe('a row of a workbook', () => {
  const openWorkbook = (more: Partial<RowCheckInput['pipeline']> = {}, fields = courseFields) => {
    const pipeline = { columns, identity: [], occurrence: [], correlation: undefined, ...more }
    return openRowCheck({ pipeline, fields, header, course: aCourse, hasher, format: 'xlsx' })
  }

  test('is told wrong by the letters of its columns too', () => {
    const { violations } = openWorkbook().row({ row: 3, cells: ['ada@example.org', '', 'x'.repeat(21), ''] })
    expect(violations).toMatchObject([
      { column: 'First Name', letters: 'B', sentence: expect.stringMatching(/^“First Name” \(column B\) is empty, /) },
      { column: 'Last Name', letters: 'C', sentence: expect.stringMatching(/^“Last Name” \(column C\) holds x…/) },
    ])
  })

  test('is named by its letters where it has somebody else’s unique value, or does not say who', () => {
    const unique = courseFields.map((field) => ({ ...field, unique: field.displayName === 'Last Name' }))
    const check = openWorkbook({ occurrence: ['Last Name'] }, unique)
    check.row({ row: 2, cells: ada })
    const twice = check.row({ row: 3, cells: ['bob@example.org', 'Bob', 'Lovelace', ''] })
    const nobody = check.row({ row: 4, cells: ['eve@example.org', 'Eve', '', ''] })
    expect(twice.violations).toMatchObject([{ rule: 'unique', column: 'Last Name', letters: 'C' }])
    expect(nobody.violations).toMatchObject([
      { rule: 'identity', column: 'Last Name', field: 'Last Name', letters: 'C' },
    ])
  })

  test('has no letters for a constant, and a CSV has none at all', () => {
    const primary = { columns: { Email: 'e_mail', 'Primary Value': { value: 'Contact Number' } } }
    const withPhone = { ...primary.columns, 'Contact Number': 'shoe size' }
    const { violations } = openWorkbook({ columns: withPhone }).row({ row: 2, cells: ['a@b.org', 'Ada', 'L', ''] })
    expect(violations).toMatchObject([{ rule: 'primary_value', column: 'Primary Value' }])
    expect(JSON.stringify(violations)).not.toContain('letters')
    expect(JSON.stringify(openCheck().row({ row: 2, cells: ['no', '', '', ''] }))).not.toContain('letters')
  })
})

describe('a file of ours that comes back', () => {
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

  test('fills no field with our columns, and says nothing about them', () => {
    const check = open(ours, [...courseFields, aField('Row'), aField('Rule')])
    expect(check.notices).toEqual([])
    expect(Object.keys(check.row({ row: 2, cells: [...cells, ''] }).recipient ?? {})).not.toContain('Row')
  })

  test('is refused while its mark is there, also where nothing else is wrong', () => {
    const staged = open(ours).row({ row: 2, cells: [...cells, ' a reason'] })
    expect(violationsOf(staged)).toMatchObject([{ rule: 'not_mended', column: 'empty_when_mended', row: 2 }])
    expect(JSON.stringify(staged.violations)).not.toContain('a reason')
    expect(violationsOf(open(ours).row({ row: 2, cells: [...cells, ' '] }))).toEqual([])
  })

  test('is told from one that has a column called Row or Rule of its own', () => {
    const check = open([...header, 'Row', 'Rule'], [...courseFields, aField('Row'), aField('Rule')])
    expect(check.row({ row: 2, cells: [...ada, '17', 'a'] }).recipient).toMatchObject({ Row: '17', Rule: 'a' })
  })
})

describe('a file', () => {
  test('with columns that nothing is made of says so', () => {
    expect(openCheck().notices.join()).toContain('shoe size')
  })

  test('with hundreds of columns that it does not read names a few of them, and each shortly', () => {
    const many = Array.from({ length: 500 }, (_, at) => `${at} ${'x'.repeat(30_000)}`)
    const notice = openCheck({}, courseFields, [...header, ...many]).notices.join()
    expect(notice).toContain('shoe size, 0 xxx')
    expect(notice).toContain('… and 489 more.')
    expect(notice.length).toBeLessThan(1_000)
  })

  test('names the columns that it does not read, but not that of the images where they are uploaded', () => {
    const upload = { size: 100, mode: 'upload' as const, imageColumn: 'Shoe size' }
    expect(openCheck({ batch: upload }).notices.join()).not.toContain('shoe size')
    expect(openCheck({ batch: { ...upload, mode: 'json' } }).notices.join()).toContain('shoe size')
  })

  test('that cannot be matched is refused with every fault at once', () => {
    const fault = (() => {
      try {
        return openCheck({ columns: { Email: 'mail' }, identity: ['Nobody'] })
      } catch (error) {
        return error as Error
      }
    })()
    expect(fault).toBeInstanceOf(PlanError)
    expect((fault as Error).message).toMatch(/mail[\s\S]*Nobody/)
  })

  test('whose columns are wrong is refused with what its first row holds, unless that may be a person', () => {
    const refusal = (header: string[]) => {
      try {
        openCheck({ columns: { Email: 'e_post' } }, courseFields, header)
      } catch (error) {
        return (error as Error).message
      }
      return ''
    }
    expect(refusal(['Semester', 'Address'])).toContain('It holds: “Semester”, “Address”.')
    const ofAPerson = refusal(['ada@example.org', 'Ada', 'Lovelace'])
    expect(ofAPerson).toContain('put a row of column names above it')
    expect(ofAPerson).not.toMatch(/Ada|Lovelace/i)
  })

  test('of a course whose pattern cannot be checked here is taken with a notice', () => {
    const fields = [...courseFields, aField('Shoe Size', { regex: '(?=a)b' })]
    expect(openCheck({}, fields).notices.join()).toContain('“Shoe Size” is not checked here')
  })

  test('that fills drop-downs without a list of choices says once that nothing is checked there', () => {
    const choice = { inputType: 'drop-down', options: [] }
    const open = courseFields.map((each) => (/Name/.test(each.displayName) ? { ...each, ...choice } : each))
    const notices = openCheck({}, open).notices.filter((notice) => notice.includes('what may be chosen'))
    expect(notices).toEqual([
      'The service does not list what may be chosen for “First Name” and “Last Name”, so any value is taken here. The service checks it when it gets the rows.',
    ])
  })

  test('that does not fill a field says nothing about what cannot be checked in it', () => {
    const fields = [...courseFields, aField('Code', { regex: '(?=a)b', inputType: 'drop-down' })]
    expect(openCheck({}, fields).notices.join()).not.toContain('Code')
  })
})

describe('a refusal', () => {
  test.each([
    new PlanError(['a fault']),
    new SourceError('damaged', 'people.csv', 'The file is damaged.'),
    new CourseUnknownError('No such course.'),
    new PipelineUnknownError('No such pipeline.'),
  ])('tells the owner of a file in the words of %s', (fault) => {
    expect(refusalOf(fault)).toBe(fault.message)
  })

  test.each([new Error('away'), new TypeError('fault'), 'text', null])(
    'is not made of %s: the run is read again',
    (fault) => {
      expect(refusalOf(fault)).toBeNull()
    },
  )
})
