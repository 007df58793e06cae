// What a course file asks for, in the fields of the service: names have become uuids and images bytes. Pure.

import type { CourseFieldName, CourseInput } from '#src/issuer/course-fields.ts'
import type { CourseFault } from './course-file-error.ts'
import type { CourseFile, CourseKey } from './course-file-schema.ts'
import { courseKeys, fieldOfKey, type ListName, listOfKey } from './course-keys.ts'
import type { ReadCourseFile } from './read-course-file.ts'
import type { References } from './read-references.ts'
import { isUuid, resolveName } from './resolve-name.ts'

/** By field; null shall be empty, and what is not there was not named. */
export type WantedFields = { [Name in CourseFieldName]?: NonNullable<CourseInput[Name]> | null }

export interface WantedCourse {
  fields: WantedFields
  /** uuid → name, of all that was looked up. */
  names: Map<string, string>
  faults: CourseFault[]
}

/** The lists that must be read before the file can be understood: none for what is given by uuid. */
export function listsFor(file: CourseFile): ListName[] {
  return courseKeys.flatMap((key) => {
    const list = listOfKey[key]
    return list && texts(file[key]).some((each) => !isUuid(each)) ? [list] : []
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
  const list = references[listOfKey[key] as ListName] ?? { references: [], complete: true }
  const uuids = texts(value).flatMap((text) => {
    const found = resolveName(text, list)
    if ('fault' in found) wanted.faults.push({ where: key, sentence: found.fault })
    else if (found.name) wanted.names.set(found.uuid, found.name)
    return 'fault' in found ? [] : [found.uuid]
  })
  const once = [...new Set(uuids)]
  // Templates travel as a list, all others as one text with commas.
  return key === 'templates' || key === 'badgeTemplates' ? once : once.join(',')
}

function wireValue(value: unknown): unknown {
  return Array.isArray(value) ? value : String(value)
}

function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? [value] : []
}
