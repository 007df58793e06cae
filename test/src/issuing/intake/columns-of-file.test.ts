// What is known about a file once its columns are planned: the plan, what identifies its people, its notices, and the
// message that refuses it.

import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { ColumnPlan } from '#src/domain/recipient/column-plan.ts'
import { refuseMergedCells } from '#src/issuing/intake/file-check.ts'
import { openRowCheck, PlanError, type RowCheckInput } from '#src/issuing/intake/row-check.ts'
import { aField, courseFields } from '#test/src/domain/recipient/fields.ts'
import { aCourse } from '#test/support/domain-objects.ts'

const hasher = new Hasher(Buffer.alloc(32, 1))
const columns = { Email: 'e_mail', 'Primary Value': { value: 'Email' } }

interface Given extends Partial<Omit<RowCheckInput, 'pipeline'>> {
  pipeline?: Partial<RowCheckInput['pipeline']>
}

function openCheck({ pipeline, ...more }: Given = {}) {
  return openRowCheck({
    ...{ fields: courseFields, header: ['e_mail', 'First Name', 'Last Name'], course: aCourse, hasher },
    ...more,
    pipeline: { columns, identity: [], occurrence: [], correlation: undefined, ...pipeline },
  })
}

/** Returns the message with which the columns are refused. */
function refusal(given: Given): string {
  try {
    openCheck(given)
  } catch (error) {
    if (error instanceof PlanError) return error.message
    throw error
  }
  throw new Error('The columns were accepted.')
}

describe('the refusal of columns', () => {
  const start = 'The file cannot be matched to the course:'
  const notices = { fileNotices: ['Only the first sheet was read.'] }

  test.each<[string, PlanError, string[]]>([
    ['lists every fault', new PlanError(['one fault', 'another']), [start, '- one fault', '- another']],
    [
      'shows the first row and the notices about the file, if the header may be the cause',
      new PlanError(['a fault'], ['Term', 'Room'], notices),
      [
        start,
        '- a fault',
        'The first row was taken as the column names. It holds: “Term”, “Room”. If the names are further down, remove the rows above them.',
        'Only the first sheet was read.',
      ],
    ],
    ['leaves the notices out otherwise', new PlanError(['a fault'], null, notices), [start, '- a fault']],
    [
      'is about completions, with their columns',
      new PlanError(['a fault'], ['id', 'email'], { completionsOf: 'campus' }),
      [
        'Completions of campus cannot be matched to the course:',
        '- a fault',
        'A completion has the columns id, email.',
      ],
    ],
  ])('%s', (_, error, lines) => {
    expect(error.message).toBe(lines.join('\n  '))
    expect(error.name).toBe('PlanError')
  })

  test.each<[string, Given, boolean]>([
    ['a column is missing', { pipeline: { columns: { ...columns, Email: 'mail' } } }, true],
    ['nothing fills a required field', { header: ['e_mail', 'Last Name'] }, true],
    ['the course has no such field', { pipeline: { columns: { ...columns, Nobody: 'e_mail' } } }, false],
    ['the identity names no field', { pipeline: { identity: ['Nobody'] } }, false],
  ])('shows the first row only if the header may be the cause: %s', (_, given, isShown) => {
    expect(refusal({ ...notices, ...given }).includes('The first row was taken')).toBe(isShown)
    expect(refusal({ ...notices, ...given }).includes('Only the first sheet')).toBe(isShown)
  })
})

describe('the plan', () => {
  const withPrimary = { header: ['e_mail', 'First Name', 'Primary Value'] }
  const fromColumn = { Email: 'e_mail' }
  test.each<[string, Given, { occurrence: string[] } | null]>([
    ['the Primary Value is a constant', {}, null],
    ['a column fills it', { ...withPrimary, pipeline: { columns: fromColumn } }, { occurrence: [] }],
    [
      'a column fills it, and occasions are distinguished',
      {
        header: [...withPrimary.header, 'Birth Date'],
        pipeline: { columns: fromColumn, occurrence: ['birth_date'] },
      },
      { occurrence: ['Birth Date'] },
    ],
    [
      'the pipeline says what identifies people',
      { ...withPrimary, pipeline: { columns: fromColumn, identity: ['Email'] } },
      null,
    ],
    [
      'the course has none',
      {
        fields: courseFields.filter(({ displayName }) => displayName !== 'Primary Value'),
        pipeline: { columns: fromColumn },
      },
      null,
    ],
  ])('says whether rows may identify people by different fields: %s', (_, given, expected) => {
    expect(openCheck(given).primaryVaries).toEqual(expected)
  })

  test('says which fields identify people and occasions, and which are their names, as the course calls them', () => {
    const check = openCheck({ pipeline: { identity: ['email', 'last name'], occurrence: ['birth date'] } })
    const { plan } = check
    expect(check.identified).toEqual({ identity: ['Email', 'Last Name'], occurrence: ['Birth Date'], plan })
    expect(check.nameFields).toEqual(['First Name', 'Last Name'])
  })
})

describe('the notices', () => {
  const unused = (names: string) =>
    `These columns fill no field of the course; they are only copied into the results: ${names}.`
  const header = ['e_mail', 'First Name', 'Last Name', 'Photo', 'Room']
  const upload = { size: 100, mode: 'upload' as const }

  test('are none if every column fills a field, and nothing is left to the service', () => {
    expect(openCheck().notices).toEqual([])
  })

  test.each<[string, Partial<RowCheckInput['pipeline']>, string]>([
    ['the pipeline says nothing about sending', {}, 'Photo, Room'],
    ['data only are sent', { batch: { ...upload, mode: 'json' } }, 'Photo, Room'],
    ['images are sent', { batch: upload }, 'Room'],
    ['images of another column are sent', { batch: { ...upload, imageColumn: 'room' } }, 'Photo'],
  ])('name the columns that fill no field: %s', (_, pipeline, names) => {
    expect(openCheck({ header, pipeline }).notices).toEqual([unused(names)])
  })

  test('name a column that looks like a result apart from them, and of a file only', () => {
    const input = { header: ['e_mail', 'First Name', 'Last Name', 'Passed', 'Room'] }
    expect(openCheck(input).notices).toEqual([
      'These columns look as if they say who passed, but nothing uses them, so they leave nobody out: Passed. Name them in the pipeline’s setting where, with the values that count.',
      unused('Room'),
    ])
    expect(openCheck({ ...input, completionsOf: 'moodle' }).notices).toEqual([unused('Passed, Room')])
    for (const values of [['TRUE'], ['any']])
      expect(openCheck({ ...input, pipeline: { where: { Passed: values, Room: values } } }).notices).toEqual([])
  })

  test('name the lists that the service does not provide', () => {
    const names = ['Room', 'Wing', 'Floor']
    const fields = [...courseFields, ...names.map((name) => aField(name, { inputType: 'drop-down' }))]
    expect(openCheck({ fields, header: ['e_mail', 'First Name', ...names] }).notices).toEqual([
      'The service does not list the choices for “Room”, “Wing” and “Floor”, so credsync accepts any value. The service checks the values when it receives the rows.',
    ])
  })

  test('begin with the patterns that only the service checks, of fields that a column fills', () => {
    const fields = [...courseFields, aField('Room', { regex: '(?=a)b' }), aField('Wing', { regex: '(?=a)b' })]
    const pipeline = { columns: { ...columns, Wing: { value: 'a' } } }
    const { notices } = openCheck({ fields, header, pipeline })
    expect(notices).toEqual([
      expect.stringMatching(/^The pattern of “Room” is not checked by credsync, /),
      unused('Photo'),
    ])
  })
})

const planned = (name: string, index: number) => ({
  field: aField(name),
  source: { kind: 'column' as const, index, column: `${name} of file`, date: null },
})
const constant = { field: aField('Room'), source: { kind: 'constant' as const, value: '="7"' } }

describe('merged cells', () => {
  const plan: ColumnPlan = [planned('Email', 0), constant, planned('Grade', 2)]
  const accepted = { has: (row: number) => row === 3 }
  const refuse = (...merged: { column: number; range: string; row?: number }[]) =>
    refuseMergedCells({ merged }, plan, accepted)
  const fault = (range: string, column: string) =>
    `The cells ${range} of the sheet are merged, so some rows or columns of this range have no value in column ${column}. Unmerge them, and write the value into each row.`

  test('are refused once for each column that fills a field, with its first range', () => {
    const refused = () =>
      refuse(
        { column: 0, range: 'A2:A4' },
        { column: 0, range: 'A3:B3', row: 3 },
        { column: 1, range: 'B2:B4' },
        { column: 2, range: 'A5:C5', row: 5 },
        { column: 2, range: 'A3:C3', row: 3 },
      )
    expect(refused).toThrow(new PlanError([fault('A2:A4', 'A'), fault('A3:C3', 'C')]))
  })

  test('are refused in a column that says who is meant', () => {
    const merged = [{ column: 3, range: 'D2:D4' }]
    expect(() => refuseMergedCells({ merged }, plan, accepted)).not.toThrow()
    expect(() => refuseMergedCells({ merged }, plan, accepted, [3])).toThrow(fault('D2:D4', 'D'))
  })

  test.each<[string, { column: number; range: string; row?: number }[]]>([
    ['there are none', []],
    ['their column fills no field', [{ column: 1, range: 'B2:B4' }]],
    ['their row is not accepted', [{ column: 0, range: 'A2:B2', row: 2 }]],
  ])('do no harm if %s', (_, merged) => {
    expect(refuse(...merged)).toBeUndefined()
  })
})
