// Values that were hurt on the way into the file: by a spreadsheet or by quotation marks.

import { describe, expect, test } from 'vitest'
import { isErrorSign } from '#src/recipients/error-sign.ts'
import { wordsOfRule } from '#src/recipients/words-of-rule.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

const name = aField('First Name')
const register = aField('Register Number')

describe('a sign of an error', () => {
  const signs = [
    '#N/A',
    '#REF!',
    '#NAME?',
    '#VALUE!',
    '#DIV/0!',
    '#NULL!',
    '#NUM!',
    '#SPILL!',
    '#BEZUG!',
    '#WERT!',
    '#NV',
  ]
  test.each([...signs, '#NOM?', '#¡REF!', '#¿NOMBRE?', '#NÚM!', '########'])('%s is no value in any format', (sign) => {
    for (const kind of [undefined, 'text', 'error']) {
      const checked = checkOne(name, ` ${sign} `, kind)
      expect(checked.broken).toEqual(['error_cell'])
    }
  })

  test.each(['Err:502', 'err:508', 'Erreur :504', 'Fehler:522', 'Błąd:511', 'エラー:502', '#BLOCKED!', '#FIELD!'])(
    '%s is one of LibreOffice or of newer programs',
    (sign) => expect(checkOne(name, sign).broken).toEqual(['error_cell']),
  )

  test.each([
    'Err:600',
    'Room:502',
    'Err',
    'Error:5',
    'Null',
    'NULL',
    'N/A',
    'None',
    '#1',
    '#5!',
    '#hashtag!',
    '#',
    '-',
    'Ada #REF!',
    '#N/AB',
  ])('%s is none', (value) => {
    expect(isErrorSign(value)).toBe(false)
    expect(checkOne(name, value).value).toBe(value)
  })
})

describe('a number that was shortened', () => {
  test.each(['1.23E+11', '4,5678E+15', '1e+12'])('%s is no register number', (value) => {
    expect(checkOne(register, value).broken).toEqual(['number_shortened'])
  })

  test.each(['1.23E-11', '12E+11', 'E+11', '1.23E11'])('%s is not told to be one', (value) => {
    expect(checkOne(register, value).value).toBe(value)
  })

  test('may be a value where numbers are numbers', () => {
    expect(checkOne(aField('Score'), '1.23E+11').value).toBe('1.23E+11')
  })
})

describe('what a spreadsheet keeps as something else', () => {
  test('is a date that was a name', () => {
    const checked = checkOne(aField('Last Name'), '2026-05-01', 'date')
    expect(checked.broken).toEqual(['date_cell'])
    expect(checked.violations[0]?.sentence).toMatch(/Format the cell as text and enter the value again/)
  })

  test.each(['Date of Exam', 'Birthdate', 'Prüfungsdatum', 'Valid from', 'startTime'])(
    'is no fault in a text field called %s',
    (title) => {
      expect(checkOne(aField(title), '2026-05-01', 'date').value).toBe('2026-05-01')
    },
  )

  test('is one in a field called Candidate Name, or Update', () => {
    for (const title of ['Candidate Name', 'Update'])
      expect(checkOne(aField(title), '2026-05-01', 'date').broken).toEqual(['date_cell'])
  })

  test('is no fault where the configuration says how the dates are written', () => {
    const spec = { column: 'Batch', date: 'YYYY-MM-DD' }
    expect(checkOne(aField('Batch'), '2026-05-01', 'date', spec).value).toBe('2026-05-01')
  })

  test('is true or false, unless the course has that to choose from', () => {
    expect(checkOne(name, 'TRUE', 'boolean').broken).toEqual(['boolean_cell'])
    expect(checkOne(aField('Passed', { options: ['TRUE', 'FALSE'] }), 'TRUE', 'boolean').value).toBe('TRUE')
  })
})

describe('a formula', () => {
  const formulas = ['=B2', '=VLOOKUP(A2,Sheet2!A:B,2,FALSE)', '=$A$1', "='My list'!B2", '=17', '=1+2', '=-B2', '={1,2}']
  const more = ['=SUMME(A1;B2)', '="a"&B2', '{=SUM(A1:A3)}', '=#REF!', '=(A1)', '=RC[-1]', '= B2', '=Δ1']
  test.each([...formulas, ...more])('as %s is no value', (value) => {
    for (const kind of [undefined, 'text']) {
      const checked = checkOne(register, value, kind)
      expect(checked.broken).toEqual(['formula'])
      expect(checked.violations[0]?.sentence).toMatch(/not calculated.*paste the values only/)
    }
  })

  test.each(['=)', '=(', '=>', '==', '=', '-', '+49 30 1', 'a=b', '-Ada'])('is not seen in %s', (value) => {
    expect(checkOne(register, value).value).toBe(value)
  })

  test('of nothing but a text is that text, as a spreadsheet shows it', () => {
    expect(checkOne(register, '="000123"').value).toBe('000123')
    expect(checkOne(name, ' ="Ada ""the first"" K" ').value).toBe('Ada "the first" K')
    expect(checkOne(aField('First Name', { required: true }), '=""').broken).toEqual(['required'])
    expect(checkOne(register, '="=B2"').broken).toEqual(['formula'])
    expect(checkOne(register, '="1"&"2"').broken).toEqual(['formula'])
    expect(checkOne(aField('Email'), '="a@example.org"').value).toBe('a@example.org')
  })

  test('is a value where the course has it to choose from', () => {
    expect(checkOne(aField('Sign', { options: ['=1'] }), '=1').value).toBe('=1')
  })
})

describe('quotation marks', () => {
  test.each([
    '"Ada \\"the first\\" K"',
    '"Ada "the" K"',
    '"Ada "the" K."',
    '"the "old" one"',
    '"15" pipe"',
    'Ada \\"K\\"',
  ])('as in %s stay in no name', (value) => {
    expect(checkOne(name, value).broken).toEqual(['quotation_mark'])
  })

  test('are good inside of a value, in a workbook, and in an address', () => {
    expect(checkOne(name, 'William "Bill"').value).toBe('William "Bill"')
    expect(checkOne(name, '"Bo" Jensen').value).toBe('"Bo" Jensen')
    expect(checkOne(name, '"Bo" and "Jo"').value).toBe('"Bo" and "Jo"')
    expect(checkOne(name, '"Bo", "Jo" ("Al")').value).toBe('"Bo", "Jo" ("Al")')
    expect(checkOne(aField('Thesis'), '"Ars" and science', 'text').value).toBe('"Ars" and science')
    expect(checkOne(aField('Email'), '"ada king"@example.org').value).toBe('"ada king"@example.org')
  })
})

describe('an apostrophe', () => {
  test.each(["'-", "'+49 30 123456", "'=1", "''-17"])('as in %s is refused where the guard is not ours', (value) => {
    expect(checkOne(register, value).broken).toEqual(['apostrophe'])
  })

  test.each(["'s Gravenhage", "O'Neil", "'t Hooft", '-', '+49 30 123456'])('as in %s is none of a guard', (value) => {
    expect(checkOne(name, value).value).toBe(value)
  })
})

describe('marks that nobody sees', () => {
  test.each(['\u200e', '\u00ad', '\u2060', '\u3164', '\u115f', '\u2800', ' \u200e\u00ad ', '\ufe0f'])(
    'are no name by themselves (%j)',
    (marks) => {
      expect(checkOne(aField('First Name', { required: true }), marks).broken).toEqual(['required'])
      expect(checkOne(name, marks).value).toBeUndefined()
    },
  )

  test('stay where they stand among letters', () => {
    expect(checkOne(name, 'Love\u00adlace').value).toBe('Love\u00adlace')
  })
})

test('every rule has its words', () => {
  const rules = [
    'number_shortened',
    'date_cell',
    'boolean_cell',
    'quotation_mark',
    'apostrophe',
    'formula',
    'damaged_letters',
    'not_mended',
  ]
  for (const rule of rules) expect(wordsOfRule(rule, 'A')).not.toContain('breaks the rule')
})
