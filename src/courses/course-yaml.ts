// Course files in YAML: reading one, and writing what a course has now as one that `update` takes.

import { Document, isScalar, isSeq, parse, YAMLParseError } from 'yaml'
import { readBackCourse } from '#src/issuer/course-read-back.ts'
import type { CourseDetail } from '#src/issuer/course-shapes.ts'
import { courseKeys, fieldOfKey, keyOf, listOfKey } from './course-keys.ts'
import { namesIn } from './names-in-detail.ts'
import { templateUuids } from './template-lists.ts'

export function readYaml(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: parse(text) }
  } catch (error) {
    const words =
      error instanceof YAMLParseError ? `${error.code} at line ${error.linePos?.[0].line ?? '?'}` : 'unreadable'
    return { fault: `is neither YAML nor JSON (${words})` }
  }
}

/** Uuids, for they mean one thing only, with their names beside them. What the service does not show stands below as keys to fill in. */
export function courseYaml(detail: CourseDetail): string {
  const { fields, unreadable } = readBackCourse(detail)
  const held: Record<string, unknown> = {
    ...fields,
    templateId: templateUuids(detail.templateDetails),
    badgeTemplateId: templateUuids(detail.badgeTemplateDetail),
  }
  const written = courseKeys.flatMap((key) => {
    const value = fileValue(key, held[fieldOfKey[key]])
    return value === undefined ? [] : [[key, value] as const]
  })
  const document = new Document(Object.fromEntries(written))
  const names = namesIn(detail)
  for (const [key] of written) if (listOfKey[key]) nameBeside(document.get(key, true), names)
  const missing = unreadable.map((field) => `# ${keyOf(field)}:`)
  return `${document.toString({ lineWidth: 0 })}${missing.length > 0 ? [...afterwords, ...missing, ''].join('\n') : ''}`
}

const afterwords = [
  '',
  '# The service does not show these. Before `courses update` takes this file, each must stand here with what it holds;',
  '# null means that it shall be empty. Images stay as they are unless `image` or `certificateImage` names a new one.',
]

const lists: readonly string[] = ['languages']
const numbers: readonly string[] = ['validity', 'duration', 'lessons', 'price']

function fileValue(key: (typeof courseKeys)[number], value: unknown): unknown {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined
  if (key === 'expires' || key === 'public') return value === '1'
  if (key === 'validityUnit' || key === 'durationUnit') return unitWord(String(value))
  if (numbers.includes(key)) return String(Number(value)) === value ? Number(value) : value
  if (lists.includes(key))
    return String(value)
      .split(',')
      .map((each) => each.trim())
  return value
}

/** As a person writes it; what is none of the service's words stays as it is. */
export function unitWord(unit: string): string {
  return /^[A-Z]+$/.test(unit) ? `${unit.toLowerCase()}s` : unit
}

function nameBeside(node: unknown, names: ReadonlyMap<string, string>): void {
  if (isSeq(node)) for (const item of node.items) nameBeside(item, names)
  if (!isScalar(node)) return
  const name = names.get(String(node.value))
  // A name is somebody else's text: on one line, or the comment would end in the middle of it.
  if (name) node.comment = ` ${name.replace(/\s+/g, ' ')}`
}
