// What the name of a column tells about its numbers and dates.

import { describe, expect, test } from 'vitest'
import { losesZeros } from '#src/recipients/lost-zeros.ts'
import { tellsTime } from '#src/recipients/tells-time.ts'

describe('a number loses its zeros', () => {
  test.each([
    'Contact Number',
    'Contact',
    'Mobile',
    'Member',
    'Member No since 2019',
    'Membership ID (this year)',
    'Register Number',
    'Registration',
    'Roll No this year',
    'Seat number',
    'Phone hours',
    'Postal code',
  ])('in a column called %s', (name) => {
    expect(losesZeros(name)).toBe(true)
  })

  test.each([
    'Contact Hours',
    'Number of contact hours',
    'Member since',
    'Membership years',
    'Registration fee',
    'Registration Year',
    'Number of hours',
    'Score',
  ])('but not in one called %s', (name) => {
    expect(losesZeros(name)).toBe(false)
  })
})

describe('a date is expected', () => {
  test.each(['Completed on', 'Erstellt am', 'Mitglied seit', 'Member since', 'Délivré le', 'Date of Exam'])(
    'in a column called %s',
    (name) => {
      expect(tellsTime(name)).toBe(true)
    },
  )

  test.each(['On', 'Candidate Name', 'Update', 'Ron', 'Le Grand'])('but not in one called %s', (name) => {
    expect(tellsTime(name)).toBe(false)
  })
})
