// Describes a course as a page for people. Pure.

import { templateUuids } from '#src/extensions/courses/course-difference.ts'
import { courseKeys, fieldOfKey, keyOf } from '#src/extensions/courses/course-keys.ts'
import { approvalText, auditText, enabledText } from '#src/extensions/courses/course-states.ts'
import { namesIn } from '#src/extensions/courses/course-yaml.ts'
import { readBackCourse } from '#src/issuer/courses/course-read-back.ts'
import type { CourseDetail } from '#src/issuer/courses/course-shapes.ts'
import { oneLine } from '#src/platform/one-line.ts'
import { valueWords } from './course-value-text.ts'

const columnWidth = 24

/** Returns lines in which text from the service cannot control the terminal. */
export function coursePage(detail: CourseDetail): string[] {
  const { fields, unreadable } = readBackCourse(detail)
  const names = namesIn(detail)
  const values: Record<string, unknown> = {
    ...fields,
    templateId: templateUuids(detail.templateDetails),
    badgeTemplateId: templateUuids(detail.badgeTemplateDetail),
    image: detail.image_,
    course_image_certificate: detail.course_image_certificate,
  }
  const rows = courseKeys.flatMap((key): [string, string][] => {
    const value = values[fieldOfKey[key]]
    const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
    return text === '' || key === 'name' || key === 'number' ? [] : [[key, valueWords(key, text, names)]]
  })
  const { examination_component: examination } = detail
  return [
    `${oneLine(detail.course_name ?? '(no name)')} (${oneLine(detail.course_number ?? 'no number')})`,
    ...labeledLines('uuid', detail.course_uuid ?? ''),
    ...labeledLines('state', enabledText(detail.is_active)),
    ...labeledLines('approval', approvalText(detail.approval_status_id)),
    ...labeledLines('audit', auditText(detail.audit_status_id)),
    ...labeledLines('institute', detail.institute_name ?? ''),
    ...rows.flatMap(([key, text]) => labeledLines(key, text)),
    ...labeledLines('examination', examination === null ? '' : JSON.stringify(examination)),
    ...(unreadable.length > 0 ? [`The service does not show: ${unreadable.map(keyOf).join(', ')}.`] : []),
  ]
}

/** Returns the lines of a labeled text; the second and later lines are indented to the column of the first. */
function labeledLines(label: string, text: string): string[] {
  if (text.trim() === '') return []
  const [first = '', ...rest] = text.trim().split(/\r?\n/).map(oneLine)
  return [`  ${label.padEnd(columnWidth)}${first}`, ...rest.map((each) => `  ${' '.repeat(columnWidth)}${each}`)].map(
    (each) => each.trimEnd(),
  )
}
