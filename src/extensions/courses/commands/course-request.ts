// Describes the request that would change a course, for --dry-run: method, path and form fields, with images by name
// and size. Pure.

import { courseFormParts } from '#src/issuer/courses/course-body.ts'
import type { CourseInput } from '#src/issuer/courses/course-fields.ts'
import { routeTo } from '#src/issuer/routes.ts'
import { oneLine } from '#src/platform/text.ts'

export interface RequestDocument {
  method: string
  path: string
  fields: ({ name: string; value: string } | { name: string; file: string; contentType: string; bytes: number })[]
}

/**
 * @param uuid of the course to change; null for a new course
 * @throws CourseInputError, UnusableIdError
 */
export function courseRequest(input: CourseInput, uuid: string | null): RequestDocument {
  const { method, path } = uuid === null ? routeTo('course-create') : routeTo('course-update', uuid)
  const parts = courseFormParts(input, uuid === null ? 'create' : 'update')
  return {
    method,
    path,
    fields: parts.map(([name, value]) =>
      typeof value === 'string'
        ? { name, value }
        : { name, file: value.name, contentType: value.contentType, bytes: value.bytes.length },
    ),
  }
}

export function requestLines({ method, path, fields }: RequestDocument): string[] {
  return [
    `${method} ${path}`,
    ...fields.map((field) =>
      'value' in field
        ? `  ${field.name} = ${oneLine(field.value)}`
        : `  ${field.name} = ${field.file}, ${field.contentType}, ${field.bytes} bytes`,
    ),
  ]
}
