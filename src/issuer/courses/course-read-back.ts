// Converts a course's current values into the form in which they would be sent. Every change needs them, because the
// service sets missing fields to null. Pure.

import { type CourseFieldName, type CourseInput, courseFieldList } from './course-fields.ts'
import type { CourseDetail } from './course-shapes.ts'

export interface ReadBack {
  /**
   * Fields that have a value, in the form that must be sent to keep it. Templates and images are left out: the service
   * keeps them if they are not sent.
   */
  fields: CourseInput
  /**
   * Fields whose current value is unknown, because the course detail does not show them or their format is not
   * understood. A change that omits them may erase them.
   */
  unreadable: CourseFieldName[]
}

/** Converts a course detail back into the fields of a course. */
export function readBackCourse(detail: CourseDetail): ReadBack {
  const fields: Record<string, string | string[]> = {}
  const unreadable: CourseFieldName[] = []
  for (const [name, { kind, onlyFor, detailKey }] of courseFieldList) {
    if (onlyFor || kind === 'image') continue
    const value = detailKey === null ? undefined : readBack(name, detail[detailKey])
    if (value === undefined) unreadable.push(name)
    else if (value !== null) fields[name] = value
  }
  return { fields: fields as CourseInput, unreadable }
}

/** Null: certainly empty, because the service shows unset values as null. Undefined: not shown, or not understood. */
function readBack(name: CourseFieldName, shown: unknown): string | string[] | null | undefined {
  if (shown === null || shown === '') return null
  if (name === 'includes') return stringsIn(shown)
  // Languages are sent as uuids separated by commas. How they are shown is not documented, so only a list of uuids, or
  // of items that have a uuid, is understood.
  if (name === 'languages')
    return uuidsIn(typeof shown === 'string' ? shown : stringsIn(shown, 'language_uuid')?.join(','))
  if (name === 'competency_tags' && Array.isArray(shown)) return stringsIn(shown)?.join(',')
  return typeof shown === 'string' || typeof shown === 'number' ? String(shown) : undefined
}

const uuidList = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\s*,\s*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})*$/i

function uuidsIn(shown: string | undefined): string | null | undefined {
  if (shown?.trim() === '') return null
  return shown !== undefined && uuidList.test(shown.trim()) ? shown.trim() : undefined
}

function stringsIn(shown: unknown, key?: string): string[] | undefined {
  const list = typeof shown === 'string' ? parsedList(shown) : shown
  if (!Array.isArray(list)) return undefined
  const strings = list.map((entry) => (key && typeof entry === 'object' && entry !== null ? entry[key] : entry))
  return strings.every((string) => typeof string === 'string') ? strings : undefined
}

function parsedList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
