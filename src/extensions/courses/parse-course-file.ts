// Parses the text of a course file into keys and values, or returns a list of all its faults. Pure.

import type { z } from 'zod'
import { faultsOf } from '#config/schema-faults.ts'
import { nearestName } from '#src/domain/recipient/nearest-name.ts'
import { type CourseFieldName, courseFields } from '#src/issuer/courses/course-fields.ts'
import type { CourseFault } from './course-file-error.ts'
import { type CourseFile, courseFileSchema } from './course-file-schema.ts'
import { courseKeys, keyOf } from './course-keys.ts'
import { readYaml } from './course-yaml.ts'

/** Accepts YAML, and therefore JSON. Faults name keys and rules, never values. */
export function parseCourseFile(text: string): { file: CourseFile } | { faults: CourseFault[] } {
  const read = readYaml(text)
  if ('fault' in read) return { faults: [{ where: 'the file', sentence: read.fault }] }
  const result = courseFileSchema.safeParse(read.value)
  if (result.success) return { file: result.data }
  return { faults: result.error.issues.flatMap(faultsOfIssue) }
}

function faultsOfIssue(issue: z.core.$ZodIssue): CourseFault[] {
  const where = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownKey)
  if (where === '')
    return [{ where: 'the file', sentence: 'is not a list of keys and values, such as `name: Welding`' }]
  return faultsOf(issue)
}

/** Suggests the right key to a user who wrote the service's name of the field or misspelled a key. */
function unknownKey(key: string): CourseFault {
  if (Object.hasOwn(courseFields, key) && keyOf(key as CourseFieldName) !== key)
    return { where: key, sentence: `is called ${keyOf(key as CourseFieldName)} in a course file` }
  const meant = nearestName(key, courseKeys)
  return { where: key, sentence: `is not a key of a course${meant ? `; did you mean ${meant}?` : ''}` }
}
