// Column names that show whether numbers may have lost zeros, whether dates are expected, and who passed.

import { describe, expect, test } from 'vitest'
import { isDateOrTimeColumn, isIdentifierColumn, isResultColumn } from '#src/domain/recipient/column-name-meaning.ts'

describe('a number may have lost its zeros', () => {
  test.each([
    'Contact',
    'Member No since 2019',
    'Membership ID (this year)',
    'Registration',
    'Phone hours',
    'Telephone No.',
    'Batch seat no',
    'contact_phone',
    'ContactNo',
    'Mobile nr year',
  ])('in a column called %s', (name) => {
    expect(isIdentifierColumn(name)).toBe(true)
  })

  test.each(['Number of contact hours', 'Member since', 'Registration Year', 'Score'])(
    'but not in one called %s',
    (name) => {
      expect(isIdentifierColumn(name)).toBe(false)
    },
  )
})

test.each([
  'hour, minute, day, week, month, year, count, fee, point, credit, mark, session, lesson, time, date',
  'since, until, till, from, duration, age, total, sum, amount, price, cost, score, percent, percentage',
])('the name of a figure is none of an identifier: %s', (list) => {
  const figures = list.split(', ')
  expect(figures.filter((word) => isIdentifierColumn(`Contact ${word}`))).toEqual([])
  const plurals = figures.slice(0, list.startsWith('hour') ? undefined : 0).map((word) => `${word}s`)
  expect(plurals.filter((word) => isIdentifierColumn(`Member ${word}`))).toEqual([])
  const others = figures.flatMap((word) => [`q${word}`, `${word}q`])
  expect(others.filter((word) => !isIdentifierColumn(`Contact ${word}`))).toEqual([])
})

test('words that only contain those of an identifier are not taken for them', () => {
  const names = ['Remember', 'Contacted', 'Casino', 'Seat nonsense', 'Seat dino', 'No', 'Number', '']
  expect(names.filter(isIdentifierColumn)).toEqual([])
})

describe('a date is expected', () => {
  test.each(['Completed on', 'Erstellt am', 'Mitglied seit', 'Member since', 'Délivré le', 'Date of Exam'])(
    'in a column called %s',
    (name) => {
      expect(isDateOrTimeColumn(name)).toBe(true)
    },
  )

  test.each(['date', 'birthday', 'day', 'month', 'year', 'time', 'hour', 'minute', 'expire'])(
    'in a column called %s, in the plural too, and in none whose name only contains the word',
    (word) => {
      const names = [word, `${word}s`, `q${word}`, `${word}q`]
      expect(names.filter(isDateOrTimeColumn)).toEqual([word, `${word}s`])
    },
  )

  test.each(['Zertifikat erstellt am', 'Geburtsdatum', 'Startdate'])('in a column called %s', (name) => {
    expect(isDateOrTimeColumn(name)).toBe(true)
  })

  test.each(['On', 'Candidate Name', 'Update', 'Ron', 'Le Grand', 'Completed online'])(
    'but not in one called %s',
    (name) => {
      expect(isDateOrTimeColumn(name)).toBe(false)
    },
  )
})

describe('results are expected', () => {
  test.each([
    'Passed',
    'pass/fail',
    'Final Result',
    'Status',
    'CourseStatus',
    'Ergebnis',
    'Completed (Y/N)',
    'Result of the exam',
    'Статус',
    '合否',
  ])('in a column called %s', (title) => expect(isResultColumn(title)).toBe(true))

  test.each(['Completed on', 'Passport', 'Marital status', 'Status of the building', 'Exam date', 'Course', ''])(
    'but not in one called %s',
    (title) => expect(isResultColumn(title)).toBe(false),
  )
})
