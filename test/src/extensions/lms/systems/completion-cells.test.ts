// Converts a learner's data to the cells of a row.

import { expect, test } from 'vitest'
import { completionOfLearner } from '#src/extensions/lms/systems/completion-cells.ts'

test('characters that the ledger refuses are replaced by the replacement character', () => {
  const learner = { id: 3, idnumber: null, username: null, firstname: 'A\0da', lastname: 'Love\ud800', email: '' }
  const course = { code: 'FIRE-1', fullname: 'Fire' }
  expect(completionOfLearner(learner, course, new Date('2026-01-02T23:30:00Z'), 'Europe/Berlin').cells).toEqual({
    id: '3',
    firstname: 'A\ufffdda',
    lastname: 'Love\ufffd',
    course: 'FIRE-1',
    coursename: 'Fire',
    completed: '2026-01-03',
  })
})
