// Values that were damaged before they reached the file: by a spreadsheet, by wrong quoting or by copying.

import { describe, expect, test } from 'vitest'
import { isSpreadsheetError } from '#src/domain/recipient/cell-breach.ts'
import { checkCell } from '#src/domain/recipient/check-row.ts'
import { compileRules } from '#src/domain/recipient/compile-rules.ts'
import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import { rulesThatMayRest } from '#src/domain/recipient/unchecked-values.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

const name = aField('First Name')
const topic = aField('Topic')
const register = aField('Register Number')

describe('a rule that rests for a column', () => {
  test('is passed over, and the other rules still apply', () => {
    const spec = (...allow: string[]) => ({ column: 'First Name', allow })
    expect(checkOne(name, 'MÃ¼ller').broken).toEqual(['damaged_letters'])
    expect(checkOne(name, 'MÃ¼ller', undefined, spec('damaged_letters')).broken).toEqual(['unusual_character'])
    const resting = spec('damaged_letters', 'unusual_character')
    expect(checkOne(name, 'MÃ¼ller', undefined, resting).value).toBe('MÃ¼ller')
    expect(checkOne(name, '=MÃ¼ller', undefined, spec('formula')).broken).toEqual(['damaged_letters'])
    expect(checkOne(name, "'=A", undefined, spec('formula')).broken).toEqual(['apostrophe'])
    expect(checkOne(name, '{mlang de}A\nB', undefined, spec('several_languages')).broken).toEqual(['control_character'])
    expect(checkOne(name, '#N/A', undefined, spec(...rulesThatMayRest)).broken).toEqual(['error_cell'])
  })

  test('rests for a column of dates too', () => {
    const day = { column: 'First Name', date: 'DD.MM.YYYY', allow: ['quotation_mark'] }
    expect(checkOne(name, '31.12.1999', undefined, day).value).toBe('1999-12-31')
  })
})

test('a date of birth may be today, and not tomorrow', () => {
  const born = aField('Birth Date', { type: 'date', inputType: 'date-picker' })
  const planned = { field: born, source: { kind: 'column' as const, index: 0, column: 'Birth Date', date: null } }
  const rulesFor = (value: string) =>
    checkCell({ row: 2, cells: [value] }, planned, compileRules([born], '2026-11-29')).violations.map(
      ({ rule }) => rule,
    )
  expect(rulesFor('2026-11-29')).toEqual([])
  expect(rulesFor('2026-11-30')).toEqual(['birth_date'])
  expect(rulesFor('2033-05-01')).toEqual(['birth_date'])
})

describe('an error value', () => {
  test.each(['#N/A', '#REF!', '#DIV/0!', '#SPILL!', '#NV', '#GETTING_DATA', '#NOM?', '#¿NOMBRE?', '#NÚM!', '########'])(
    '%s is not a value in any format',
    (sign) => {
      for (const kind of [undefined, 'text', 'error'])
        expect(checkOne(name, ` ${sign} `, kind).broken).toEqual(['error_cell'])
    },
  )

  test.each(['Err:502', 'err: 508', 'Erreur :504', 'Błąd:511', 'エラー:502', '#BLOCKED!'])(
    '%s is an error value of LibreOffice or newer programs',
    (sign) => expect(checkOne(name, sign).broken).toEqual(['error_cell']),
  )

  test.each(['Err:600', 'Room:502', 'Error:5', 'N/A', '#1', '#5!', '#', 'Ada #REF!', '#N/AB', '#REF! 1', 'Err:5021'])(
    '%s is not an error value',
    (value) => {
      expect(isSpreadsheetError(value)).toBe(false)
      expect(checkOne(topic, value).value).toBe(value)
    },
  )
})

describe('a shortened number', () => {
  test.each(['1.23E+11', '4,5678E+15', '1e+12'])('%s is not a register number', (value) => {
    expect(checkOne(register, value).broken).toEqual(['number_shortened'])
  })

  test.each(['1.23E-11', '12E+11', 'E+11', '1.23E11'])('%s is not reported as a shortened number', (value) => {
    expect(checkOne(register, value).value).toBe(value)
  })

  test('is accepted in numeric fields', () => {
    expect(checkOne(aField('Score'), '1.23E+11').value).toBe('1.23E+11')
  })
})

describe('a converted spreadsheet value', () => {
  test('is refused if it is a date in a name field', () => {
    const checked = checkOne(aField('Last Name'), '2026-05-01', 'date')
    expect(checked.broken).toEqual(['date_cell'])
    expect(checked.violations[0]?.sentence).toMatch(/Format the cell as text and enter the value again/)
  })

  test.each(['Date of Exam', 'Birthdate', 'Prüfungsdatum', 'Valid from', 'startTime'])(
    'is accepted in a text field called %s',
    (title) => {
      expect(checkOne(aField(title), '2026-05-01', 'date').value).toBe('2026-05-01')
    },
  )

  test('is refused in a text field called Candidate Name or Update', () => {
    for (const title of ['Candidate Name', 'Update'])
      expect(checkOne(aField(title), '2026-05-01', 'date').broken).toEqual(['date_cell'])
  })

  test.each(['Last Name', 'Start Time'])(
    'is refused if it is a date cell with a plain number, in a field called %s',
    (title) => {
      for (const number of ['-5', '2958466', '0.5E+9'])
        expect(checkOne(aField(title), number, 'date').broken).toEqual(['date_cell'])
    },
  )

  test('is accepted if the configuration declares the date format', () => {
    const spec = { column: 'Batch', date: 'YYYY-MM-DD' }
    expect(checkOne(aField('Batch'), '2026-05-01', 'date', spec).value).toBe('2026-05-01')
  })

  test('is refused if it is true or false, unless these are options of the course', () => {
    expect(checkOne(name, 'TRUE', 'boolean').broken).toEqual(['boolean_cell'])
    expect(checkOne(aField('Passed', { options: ['TRUE', 'FALSE'] }), 'TRUE', 'boolean').value).toBe('TRUE')
  })
})

describe('a formula', () => {
  test.each([
    "='My list'!B2",
    '=17',
    '=SUMME(A1;B2)',
    '{=SUM(A1:A3)}',
    '=#REF!',
    '=(A1)',
    '=RC[-1]',
    '=Δ1',
    '="1"&="2"',
  ])('such as %s is not a value', (value) => {
    for (const kind of [undefined, 'text']) expect(checkOne(register, value, kind).broken).toEqual(['formula'])
  })

  test.each(['=)', '=(', '=>', '==', '=', '-', '+49 30 1', 'a=b', '-Ada'])('is not suspected in %s', (value) => {
    expect(checkOne(register, value).value).toBe(value)
  })

  test('that contains only text is replaced by that text, as a spreadsheet shows it', () => {
    expect(checkOne(register, '="000123"').value).toBe('000123')
    expect(checkOne(name, ' ="Ada ""the first"" K" ').value).toBe('Ada "the first" K')
    expect(checkOne(aField('First Name', { required: true }), '=""').broken).toEqual(['required'])
    expect(checkOne(register, '="=B2"').broken).toEqual(['formula'])
    expect(checkOne(register, '="1"&"2"').broken).toEqual(['formula'])
    expect(checkOne(aField('Email'), '="a@example.org"').value).toBe('a@example.org')
  })

  test('is accepted if it is an option of the course', () => {
    expect(checkOne(aField('Sign', { options: ['=1'] }), '=1').value).toBe('=1')
  })
})

describe('invisible characters', () => {
  test.each(['\u200e', '\u00ad', '\u2060', '\u3164', '\u115f', '\u2800', ' \u200e\u00ad ', '\ufe0f'])(
    'alone are not a name (%j)',
    (marks) => {
      expect(checkOne(aField('First Name', { required: true }), marks).broken).toEqual(['required'])
      expect(checkOne(name, marks).value).toBeUndefined()
    },
  )

  test('are kept between letters', () => {
    expect(checkOne(name, 'Love\u00adlace').value).toBe('Love\u00adlace')
  })
})

describe('a number that the sheet shows in another way than it is stored', () => {
  const score = { ...aField('Score'), type: 'number' }
  test.each([
    ['a text', aField('Result'), '85%'],
    ['a number', score, '0.85'],
    ['one of the choices as shown', { ...aField('Result'), options: ['85%', '90%'] }, '85%'],
    ['one of the choices as stored', { ...aField('Result'), options: ['0.85', '0.9'] }, '0.85'],
  ])('is read for %s', (_, field, value) => {
    expect(checkOne(field, '85%', 'number:0.85')).toMatchObject({ value, broken: [] })
  })

  test('is no phone number', () => {
    expect(checkOne(register, '12.00', 'number:12').broken).toEqual(['number_lost_zeros'])
  })

  test('is no date', () => {
    expect(checkOne({ ...aField('Born'), type: 'date' }, '45352.0', 'number:45352').broken).toEqual(['date'])
  })

  test('is refused in a text if it is not certain what is shown', () => {
    const { broken, violations } = checkOne(aField('Result'), '0.5', 'unshown')
    expect(broken).toEqual(['number_format'])
    expect(violations[0]?.sentence).toContain('Format the cell as text and enter the value again.')
    expect(checkOne(score, '0.5', 'unshown')).toMatchObject({ value: '0.5', broken: [] })
  })
})

test('every rule about damage has a description', () => {
  const rules = [
    'number_shortened',
    'number_format',
    'date_cell',
    'boolean_cell',
    'quotation_mark',
    'apostrophe',
    'formula',
    'damaged_letters',
    'not_mended',
  ]
  for (const rule of rules) expect(describeRule(rule, 'A')).not.toContain('breaks the rule')
})

test.each(['<span>multilang', '<language>', '<span multilangs>', '{x mlang de}'])('%s is one language', (value) => {
  expect(checkOne(topic, value).broken).not.toContain('several_languages')
})

test('an empty cell holds nothing', () => {
  const { violations } = checkOne(aField('First Name', { required: true }), '')
  expect(violations[0]?.sentence).toBe('“First Name” is empty, and the course requires “First Name”. Fill it in.')
})

test('a date in a format that begins with the year is not read in another, even if spaces come first', () => {
  const spec = { column: 'Born', date: ' YYYY/MM/DD' }
  expect(checkOne(aField('Born'), '1990-12-31', undefined, spec).broken).toEqual(['date'])
})

test('a constant is corrected in the configuration, wherever the row comes from', () => {
  const [field, source] = [aField('Batch'), { kind: 'constant' as const, value: '#REF!' }]
  const check = checkCell({ row: 1, cells: [] }, { field, source }, compileRules([field]), 'learning system')
  expect(check.violations[0]?.sentence).toMatch(/Correct the formula in the cell/)
})
