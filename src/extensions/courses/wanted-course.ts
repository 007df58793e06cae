// Converts a course file to the service's fields, with names resolved to uuids and images read as bytes. Pure.

import { looseName } from '#src/domain/recipient/loose-name.ts'
import { nearestName } from '#src/domain/recipient/nearest-name.ts'
import type { CourseFieldName, CourseInput } from '#src/issuer/courses/course-fields.ts'
import { isUuid, sameUuid } from '#src/platform/uuid.ts'
import type { CourseFile, CourseKey } from './course-file-schema.ts'
import { type CourseListName, courseKeys, fieldOfKey, listOfKey } from './course-keys.ts'
import type { CourseFault, ReadCourseFile } from './read-course-file.ts'
import type { Reference, ReferenceList, References } from './read-references.ts'

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

type Resolved = { uuid: string; name: string | null } | { fault: string }

/**
 * Finds the list item that a course file refers to by uuid, name, code or label. A uuid is accepted even if it is not
 * in the list, because the service validates it. A name is matched exactly, then ignoring case, spaces and underscores,
 * then against the labels. If two items match, a fault is returned and neither is chosen.
 */
export function resolveReference(text: string, { references, complete }: ReferenceList): Resolved {
  const wanted = text.trim()
  if (isUuid(wanted)) return { uuid: wanted, name: nameOf(references, wanted) }
  const loose = looseName(wanted)
  const matchers: ((each: Reference) => boolean)[] = [
    ({ names }) => names.includes(wanted),
    ({ names }) => names.some((name) => looseName(name) === loose),
    ({ labels }) => labels.some((label) => looseName(label) === loose),
  ]
  for (const matches of matchers) {
    const found = [...new Map(references.filter(matches).map((reference) => [reference.uuid, reference])).values()]
    const [first, second] = found
    if (first && !second) return { uuid: first.uuid, name: first.names[0] ?? null }
    if (first)
      return {
        fault: `“${wanted}” could be any of ${found.map(({ uuid, names }) => `${names[0] ?? '?'} (${uuid})`).join(', ')}; give the uuid`,
      }
  }
  return { fault: `“${wanted}” ${notFoundSentence(wanted, references, complete)}` }
}

function notFoundSentence(wanted: string, references: readonly Reference[], complete: boolean): string {
  const incompleteNotice = complete
    ? ''
    : ' The service returned only part of the list: give the uuid if the item is in the other part.'
  const names = references.flatMap((reference) => [...reference.names, ...reference.labels])
  const meant = nearestName(wanted, names)
  if (meant) return `is not in the service's list; did you mean “${meant}”?${incompleteNotice}`
  const listedNames = [...new Set(references.map(({ names: [name] }) => name).filter(Boolean))]
  if (listedNames.length === 0) return `is not in the service's list, which is empty.${incompleteNotice}`
  const shown = listedNames.slice(0, 8).join(', ')
  return `is not in the service's list, which has ${shown}${listedNames.length > 8 ? ` and ${listedNames.length - 8} more` : ''}.${incompleteNotice}`
}

function nameOf(references: readonly Reference[], uuid: string): string | null {
  return references.find((reference) => sameUuid(reference.uuid, uuid))?.names[0] ?? null
}
