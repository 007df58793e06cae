// A course as a page for people. Pure.

import { courseKeys, fieldOfKey, keyOf } from '#src/courses/course-keys.ts'
import { approvalWords, auditWords, enabledWords } from '#src/courses/course-states.ts'
import { namesIn } from '#src/courses/names-in-detail.ts'
import { templateUuids } from '#src/courses/template-lists.ts'
import { readBackCourse } from '#src/issuer/course-read-back.ts'
import type { CourseDetail } from '#src/issuer/course-shapes.ts'
import { valueWords } from './course-words.ts'
import { oneLine } from './display-width.ts'

const columnWidth = 24

/** Lines; what the service typed can't steer the terminal. */
export function coursePage(detail: CourseDetail): string[] {
  const { fields, unreadable } = readBackCourse(detail)
  const names = namesIn(detail)
  const shown: Record<string, unknown> = {
    ...fields,
    templateId: templateUuids(detail.templateDetails),
    badgeTemplateId: templateUuids(detail.badgeTemplateDetail),
    image: detail.image_,
    course_image_certificate: detail.course_image_certificate,
  }
  const rows = courseKeys.flatMap((key): [string, string][] => {
    const value = shown[fieldOfKey[key]]
    const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
    return text === '' || key === 'name' || key === 'number' ? [] : [[key, valueWords(key, text, names)]]
  })
  const { examination_component: examination } = detail
  return [
    `${oneLine(detail.course_name ?? '(no name)')} (${oneLine(detail.course_number ?? 'no number')})`,
    ...line('uuid', detail.course_uuid ?? ''),
    ...line('state', enabledWords(detail.is_active)),
    ...line('approval', approvalWords(detail.approval_status_id)),
    ...line('audit', auditWords(detail.audit_status_id)),
    ...line('institute', detail.institute_name ?? ''),
    ...rows.flatMap(([key, text]) => line(key, text)),
    ...line('examination', examination === null ? '' : JSON.stringify(examination)),
    ...(unreadable.length > 0 ? [`The service does not show: ${unreadable.map(keyOf).join(', ')}.`] : []),
  ]
}

/** Further lines of a text stand below its first. */
function line(label: string, text: string): string[] {
  if (text.trim() === '') return []
  const [first = '', ...rest] = text.trim().split(/\r?\n/).map(oneLine)
  return [`  ${label.padEnd(columnWidth)}${first}`, ...rest.map((each) => `  ${' '.repeat(columnWidth)}${each}`)].map(
    (each) => each.trimEnd(),
  )
}
