// Which columns look as if they say who passed.

import { expect, test } from 'vitest'
import { isResultColumn } from '#src/domain/recipient/result-column.ts'

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
])('%s', (title) => expect(isResultColumn(title)).toBe(true))
test.each(['Completed on', 'Passport', 'Marital status', 'Status of the building', 'Exam date', 'Course', ''])(
  'not %s',
  (title) => expect(isResultColumn(title)).toBe(false),
)
