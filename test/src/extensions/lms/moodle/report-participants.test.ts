// Reads progress from reports in any language: a recorded report, translated ones, and unusual ones.

import { describe, expect, test } from 'vitest'
import { readParticipants } from '#src/extensions/lms/moodle/report-participants.ts'
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
const participants = (...completed: number[]) =>
  [3, 4, 5, 6].map((userId) => ({ userId, completed: completed.includes(userId) }))
const byId = (a: { userId: number }, b: { userId: number }) => a.userId - b.userId

describe('the recorded report', () => {
  test('shows who completed one course; rows without a learner and rows of other courses are ignored', () => {
    expect(readParticipants(rows, learners, fire).sort(byId)).toEqual(participants(3, 4))
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
  ])('gives the same result in %s', (_language, yes, time) => {
    const translated = rows.map((row) =>
      row.map((cell, column) => (column === 7 && cell !== '' ? yes : column === 8 && cell !== '' ? time : cell)),
    )
    expect(readParticipants(translated, learners, fire).sort(byId)).toEqual(participants(3, 4))
  })

  test('gives the same result with its columns reversed', () => {
    const reversed = rows.map((row) => row.toReversed())
    expect(readParticipants(reversed, learners, fire).sort(byId)).toEqual(participants(3, 4))
  })

  test('does not show learners who are no longer enrolled', () => {
    const stillEnrolled = learners.filter((learner) => learner.id !== 4)
    expect(readParticipants(rows, stillEnrolled, fire).map((participant) => participant.userId)).not.toContain(4)
  })
})

describe('a report', () => {
  test('with columns that are filled before completion selects too many learners rather than too few', () => {
    const rowsWithEarlyValues = rows.map((row) => row.map((cell, column) => (column === 7 ? cell || 'No' : cell)))
    expect(readParticipants(rowsWithEarlyValues, learners, fire).sort(byId)).toEqual(participants(3, 4, 5, 6))
  })

  test('of one course needs no course column', () => {
    const fewRows = [
      ['ada@learners.example', 'Ja'],
      ['SOREN@learners.example', ''],
    ]
    expect(readParticipants(fewRows, learners, fire)).toEqual([
      { userId: 3, completed: true },
      { userId: 4, completed: false },
    ])
  })

  test('with full names does not use them as status', () => {
    const rowsWithNames = [
      ['Ada Lovelace', 'ada', ''],
      ["O'Neill, Søren", 'soren', '✓'],
      [' Nguyễn\n  Thị Ánh ', ' NGUYEN ', ' '],
    ]
    expect(readParticipants(rowsWithNames, learners, fire)).toEqual([
      { userId: 3, completed: false },
      { userId: 4, completed: true },
      { userId: 5, completed: false },
    ])
  })

  test('keeps the status "yes" of others even if one learner has that name', () => {
    const learnersWithJa = [...learners, person(7, 'E-7', 'ja', 'Ja', 'Ja')]
    const short = [
      ['ada', 'Ja'],
      ['E-7', 'Ja'],
    ]
    expect(readParticipants(short, learnersWithJa, fire)).toContainEqual({ userId: 3, completed: true })
    expect(readParticipants(short, learnersWithJa, fire)).toContainEqual({ userId: 7, completed: true })
  })

  test('that lists a learner twice counts the row with the most progress', () => {
    const repeatedRows = [
      ['ada', ''],
      ['ada', 'Ja'],
      ['ada', ''],
    ]
    expect(readParticipants(repeatedRows, learners, fire)).toEqual([{ userId: 3, completed: true }])
  })

  test('is not filtered by a course ID number that looks like a grade', () => {
    const rowsWithGrades = [
      ['ada', 'Ja', '100'],
      ['soren', 'Ja', '90'],
    ]
    expect(readParticipants(rowsWithGrades, learners, { ...fire, idnumber: '100' }).sort(byId)).toEqual([
      { userId: 3, completed: true },
      { userId: 4, completed: true },
    ])
  })

  test('without rows shows nobody', () => {
    expect(readParticipants([], learners, fire)).toEqual([])
  })
})
