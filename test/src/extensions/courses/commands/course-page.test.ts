// A course as a page for people.

import { expect, test } from 'vitest'
import { coursePage } from '#src/extensions/courses/commands/course-page.ts'
import type { CourseDetail } from '#src/issuer/courses/course-shapes.ts'

test('a text of several lines stays in its column, and controls no terminal', () => {
  const description = 'First.\r\n\u001b[2JSecond.\n\nLast. '
  const states = { is_active: 1, approval_status_id: 1, audit_status_id: 1, examination_component: null }
  const detail = { course_name: 'Welding', description, ...states, templateDetails: [], badgeTemplateDetail: [] }
  const page = coursePage(detail as unknown as CourseDetail)
  const at = page.findIndex((line) => line.includes('First.'))
  expect(page[0]).toBe('Welding (no number)')
  expect(page.slice(at, at + 4)).toEqual([
    expect.stringMatching(/^ {2}description {13}First\.$/),
    expect.stringMatching(/^ {26}\S*Second\.$/),
    '',
    `${' '.repeat(26)}Last.`,
  ])
  expect(page.join('')).not.toContain('\u001b')
})
