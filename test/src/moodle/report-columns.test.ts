// Who is further along by a report in any language: the recorded one, the same in other words, and odd ones.

import { describe, expect, test } from 'vitest'
import { readParticipants } from '#src/moodle/report-columns.ts'
import { moodleCapture } from '#test/support/moodle-captures.ts'

const fire = { id: 2, idnumber: 'CRS-FIRE-101', fullname: 'Fire safety basics', shortname: 'FIRE101' }
const food = { id: 3, idnumber: 'CRS-FOOD-201', fullname: 'Food hygiene level 2 – Müller & Søn', shortname: 'FOOD201' }
const person = (id: number, idnumber: string | null, username: string, firstname: string, lastname: string) => ({
  id,
  idnumber,
  username,
  firstname,
  lastname,
  email: `${username}@learners.example`,
})
const learners = [
  person(3, 'E-1001', 'ada', 'Ada', 'Lovelace'),
  person(4, 'E-1002', 'soren', 'Søren', "O'Neill"),
  person(5, 'E-1003', 'nguyen', 'Thị Ánh', 'Nguyễn'),
  person(6, null, 'noid', 'No', 'Idnumber'),
]
const rows: string[][] = JSON.parse(moodleCapture('45-retrieve_report')).data.rows.map((row: { columns: string[] }) =>
  row.columns.map((cell) => cell.replace('&#039;', "'")),
)
const everybody = (...completed: number[]) =>
  [3, 4, 5, 6].map((userId) => ({ userId, completed: completed.includes(userId) }))
const byId = (a: { userId: number }, b: { userId: number }) => a.userId - b.userId

describe('the recorded report', () => {
  test('shows in one course who completed it; rows of nobody and of other courses are left out', () => {
    expect(readParticipants(rows, learners, fire).sort(byId)).toEqual(everybody(3, 4))
    expect(readParticipants(rows, learners, food).sort(byId)).toEqual([
      { userId: 3, completed: false },
      { userId: 4, completed: false },
      { userId: 5, completed: false },
    ])
  })

  test.each([
    ['Danish', 'Ja', 'lørdag den 21. november 2026, 00.02'],
    ['Arabic', 'نعم', 'السبت، ٢١ نوفمبر ٢٠٢٦، ١٢:٠٢ ص'],
    ['Japanese', 'はい', '2026年 11月 21日(土曜日) 00:02'],
  ])('says the same in %s', (_language, yes, time) => {
    const translated = rows.map((row) =>
      row.map((cell, column) => (column === 7 && cell !== '' ? yes : column === 8 && cell !== '' ? time : cell)),
    )
    expect(readParticipants(translated, learners, fire).sort(byId)).toEqual(everybody(3, 4))
  })

  test('says the same with its columns the other way round', () => {
    const turned = rows.map((row) => row.toReversed())
    expect(readParticipants(turned, learners, fire).sort(byId)).toEqual(everybody(3, 4))
  })

  test('does not show learners who are enrolled no more', () => {
    const left = learners.filter((each) => each.id !== 4)
    expect(readParticipants(rows, left, fire).map((each) => each.userId)).not.toContain(4)
  })
})

describe('a report', () => {
  test('that fills other columns before the end asks too much rather than too little', () => {
    const started = rows.map((row) => row.map((cell, column) => (column === 7 ? cell || 'No' : cell)))
    expect(readParticipants(started, learners, fire).sort(byId)).toEqual(everybody(3, 4, 5, 6))
  })

  test('like that is read by the one column that is named', () => {
    const started = rows.map((row) => row.map((cell, column) => (column === 7 ? cell || 'No' : cell)))
    expect(readParticipants(started, learners, fire, 9).sort(byId)).toEqual(everybody(3, 4))
    expect(readParticipants(started, learners, fire, 99).sort(byId)).toEqual(everybody())
  })

  test('of one course needs no column for it', () => {
    const short = [
      ['ada@learners.example', 'Ja'],
      ['SOREN@learners.example', ''],
    ]
    expect(readParticipants(short, learners, fire)).toEqual([
      { userId: 3, completed: true },
      { userId: 4, completed: false },
    ])
  })

  test('with full names tells nothing by them', () => {
    const named = [
      ['Ada Lovelace', 'ada', ''],
      ["O'Neill, Søren", 'soren', '✓'],
    ]
    expect(readParticipants(named, learners, fire)).toEqual([
      { userId: 3, completed: false },
      { userId: 4, completed: true },
    ])
  })

  test('keeps the "yes" of others when one learner is called so', () => {
    const called = [...learners, person(7, 'E-7', 'ja', 'Ja', 'Ja')]
    const short = [
      ['ada', 'Ja'],
      ['E-7', 'Ja'],
    ]
    expect(readParticipants(short, called, fire)).toContainEqual({ userId: 3, completed: true })
    expect(readParticipants(short, called, fire)).toContainEqual({ userId: 7, completed: true })
  })

  test('that shows a learner twice counts the row that is further', () => {
    const twice = [
      ['ada', ''],
      ['ada', 'Ja'],
      ['ada', ''],
    ]
    expect(readParticipants(twice, learners, fire)).toEqual([{ userId: 3, completed: true }])
  })

  test('is not cut down by a course whose ID number looks like a grade', () => {
    const graded = [
      ['ada', 'Ja', '100'],
      ['soren', 'Ja', '90'],
    ]
    expect(readParticipants(graded, learners, { ...fire, idnumber: '100' })).toHaveLength(2)
  })

  test('without rows shows nobody', () => {
    expect(readParticipants([], learners, fire)).toEqual([])
  })
})
