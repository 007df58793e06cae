// Converts a course file to the service's fields, with names resolved to uuids and images read as bytes. Pure.

import type { CourseFieldName, CourseInput } from '#src/issuer/courses/course-fields.ts'
import { isUuid } from '#src/platform/uuid.ts'
import type { CourseFault } from './course-file-error.ts'
import type { CourseFile, CourseKey } from './course-file-schema.ts'
import { type CourseListName, courseKeys, fieldOfKey, listOfKey } from './course-keys.ts'
import type { ReadCourseFile } from './read-course-file.ts'
import type { References } from './read-references.ts'
import { resolveReference } from './resolve-reference.ts'

/** Values by field name. Null means that the field is to be empty; a field that is not in the file is left out. */
export type WantedFields = { [Name in CourseFieldName]?: NonNullable<CourseInput[Name]> | null }

export interface WantedCourse {
  fields: WantedFields
  /** A map from uuid to name, for everything that was looked up. */
  names: Map<string, string>
  faults: CourseFault[]
}

/** Returns the lists that must be read to resolve the file's names. Values given as uuids need no list. */
export function listsFor(file: CourseFile): CourseListName[] {
  return courseKeys.flatMap((key) => {
    const list = listOfKey[key]
    return list && stringsIn(file[key]).some((each) => !isUuid(each.trim())) ? [list] : []
  })
}

export function wantedCourse({ file, images }: ReadCourseFile, references: References): WantedCourse {
  const wanted: WantedCourse = { fields: {}, names: new Map(), faults: [] }
  const fields: Record<string, unknown> = wanted.fields
  for (const key of courseKeys) {
    const value = file[key]
    if (value === undefined) continue
    if (key === 'image' || key === 'certificateImage') fields[fieldOfKey[key]] = images[key]
    else if (value === null) fields[fieldOfKey[key]] = null
    else fields[fieldOfKey[key]] = listOfKey[key] ? uuidsOf(key, value, references, wanted) : wireValue(value)
  }
  return wanted
}

function uuidsOf(key: CourseKey, value: unknown, references: References, wanted: WantedCourse): string | string[] {
  const list = references[listOfKey[key] as CourseListName] ?? { references: [], complete: true }
  const uuids = stringsIn(value).flatMap((text) => {
    const found = resolveReference(text, list)
    if ('fault' in found) wanted.faults.push({ where: key, sentence: found.fault })
    else if (found.name) wanted.names.set(found.uuid, found.name)
    return 'fault' in found ? [] : [found.uuid]
  })
  const distinct = [...new Set(uuids)]
  // Templates are sent as a list, all other values as one string with commas.
  return key === 'templates' || key === 'badgeTemplates' ? distinct : distinct.join(',')
}

function wireValue(value: unknown): unknown {
  return Array.isArray(value) ? value : String(value)
}

function stringsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? [value] : []
}
