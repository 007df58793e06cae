// What a course has now, as it would be sent: the ground of every change, since a change makes null what it does not name.

import { type CourseFieldName, type CourseInput, courseFieldList } from './course-fields.ts'
import type { CourseDetail } from './course-shapes.ts'

export interface ReadBack {
  /** Fields with a value, as they would be sent to leave it as it is. Templates and images are left out: a change keeps them when not named. */
  fields: CourseInput
  /** Fields whose present value cannot be known, because no key shows them or it came in an unknown form: a change that does not name them may wipe them out. */
  unreadable: CourseFieldName[]
}

/** Reads a detail back into the fields of a course. Pure. */
export function readBackCourse(detail: CourseDetail): ReadBack {
  const fields: Record<string, string | string[]> = {}
  const unreadable: CourseFieldName[] = []
  for (const [name, { kind, only, shown }] of courseFieldList) {
    if (only || kind === 'image') continue
    const value = shown === null ? undefined : readBack(name, detail[shown])
    if (value === undefined) unreadable.push(name)
    else if (value !== null) fields[name] = value
  }
  return { fields: fields as CourseInput, unreadable }
}

/** Null: surely nothing, for unset values are null. Undefined: not shown, or not understood. */
function readBack(name: CourseFieldName, shown: unknown): string | string[] | null | undefined {
  if (shown === null || shown === '') return null
  if (name === 'includes') return textsIn(shown)
  // Sent as uuids with commas; how they are shown is not documented, so only a list of uuids or of items with one is understood.
  if (name === 'languages')
    return uuidsIn(typeof shown === 'string' ? shown : textsIn(shown, 'language_uuid')?.join(','))
  if (name === 'competency_tags' && Array.isArray(shown)) return textsIn(shown)?.join(',')
  return typeof shown === 'string' || typeof shown === 'number' ? String(shown) : undefined
}

const uuids = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\s*,\s*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})*$/i

function uuidsIn(shown: string | undefined): string | null | undefined {
  if (shown?.trim() === '') return null
  return shown !== undefined && uuids.test(shown.trim()) ? shown.trim() : undefined
}

function textsIn(shown: unknown, key?: string): string[] | undefined {
  const list = typeof shown === 'string' ? parsedList(shown) : shown
  if (!Array.isArray(list)) return undefined
  const texts = list.map((each) => (key && typeof each === 'object' && each !== null ? each[key] : each))
  return texts.every((each) => typeof each === 'string') ? texts : undefined
}

function parsedList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
