// Parses course files in YAML, and formats a course's current state as a file that `courses update` accepts. Pure.

import { Document, isScalar, isSeq, parse, YAMLParseError } from 'yaml'
import { readBackCourse } from '#src/issuer/courses/course-read-back.ts'
import type { CourseDetail } from '#src/issuer/courses/course-shapes.ts'
import { oneLine } from '#src/platform/text.ts'
import { templateUuids } from './course-difference.ts'
import { courseKeys, fieldOfKey, keyOf, listOfKey } from './course-keys.ts'
import { approvalText, auditText, enabledText } from './course-states.ts'

/** Returns the parsed value, or a fault that completes a sentence about the file. */
export function readYaml(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: parse(text) }
  } catch (error) {
    const problem =
      error instanceof YAMLParseError ? `${error.code} at line ${error.linePos?.[0].line ?? '?'}` : 'unreadable'
    return { fault: `is neither YAML nor JSON (${problem})` }
  }
}

/**
 * Writes uuids, which are unambiguous, with their names as comments. What an update cannot change is at the top, as
 * comments; fields that the service does not show are listed at the end as keys to fill in.
 */
export function courseYaml(detail: CourseDetail): string {
  const { fields, unreadable } = readBackCourse(detail)
  const current: Record<string, unknown> = {
    ...fields,
    templateId: templateUuids(detail.templateDetails),
    badgeTemplateId: templateUuids(detail.badgeTemplateDetail),
  }
  const entries = courseKeys.flatMap((key) => {
    const value = fileValue(key, current[fieldOfKey[key]])
    return value === undefined ? [] : [[key, value] as const]
  })
  const document = new Document(Object.fromEntries(entries))
  const names = namesIn(detail)
  for (const [key] of entries) if (listOfKey[key]) addNameComment(document.get(key, true), names)
  const missing = unreadable.map((field) => `# ${keyOf(field)}:`)
  const note = missing.length > 0 ? [...unreadableNote, ...missing, ''] : []
  return [...statesOf(detail), '', document.toString({ lineWidth: 0 }) + note.join('\n')].join('\n')
}

function statesOf(detail: CourseDetail): string[] {
  const states = {
    uuid: detail.course_uuid,
    state: enabledText(detail.is_active),
    approval: approvalText(detail.approval_status_id),
    audit: auditText(detail.audit_status_id),
    institute: detail.institute_name,
    image: detail.image_,
    certificateImage: detail.course_image_certificate,
  }
  return Object.entries(states).map(([name, text]) => `# ${name}: ${oneLine(text ?? '')}`.trimEnd())
}

const unreadableNote = [
  '',
  '# The service does not show the fields below. Before `courses update` accepts this file, each needs its current value;',
  '# null means that the field is to be empty. Images do not change unless `image` or `certificateImage` names a new one.',
]

const listKeys: readonly string[] = ['languages']
const numberKeys: readonly string[] = ['validity', 'duration', 'lessons', 'price']

function fileValue(key: (typeof courseKeys)[number], value: unknown): unknown {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined
  if (key === 'expires' || key === 'public') return value === '1'
  if (key === 'validityUnit' || key === 'durationUnit') return unitWord(String(value))
  if (numberKeys.includes(key)) return String(Number(value)) === value ? Number(value) : value
  if (listKeys.includes(key))
    return String(value)
      .split(',')
      .map((each) => each.trim())
  return value
}

/**
 * Converts a unit such as `YEAR` to the form used in course files, such as `years`. Unknown forms are returned
 * unchanged.
 */
export function unitWord(unit: string): string {
  return /^[A-Z]+$/.test(unit) ? `${unit.toLowerCase()}s` : unit
}

function addNameComment(node: unknown, names: ReadonlyMap<string, string>): void {
  if (isSeq(node)) for (const item of node.items) addNameComment(item, names)
  if (!isScalar(node)) return
  const name = names.get(String(node.value))
  // The name comes from the service: a line break in it would end the comment early.
  if (name) node.comment = ` ${oneLine(name)}`
}

/** Returns the names that a course's detail contains for the uuids in it, as a map from uuid to name. */
export function namesIn(detail: CourseDetail): Map<string, string> {
  const pairs: [unknown, unknown][] = [
    [detail.category_uuid, detail.course_category],
    [detail.course_format_uuid, detail.course_format],
    [detail.currency_uuid, detail.currency_code ?? detail.currency],
    ...[...detail.templateDetails, ...detail.badgeTemplateDetail].map((each): [unknown, unknown] => [
      each.template_uuid,
      each.template_name,
    ]),
  ]
  return new Map(
    pairs.filter((pair): pair is [string, string] => pair.every((each) => typeof each === 'string' && each !== '')),
  )
}
