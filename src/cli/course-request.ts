// What a change of a course would send, for --dry-run: method, path and form fields; images by name and size. Pure.

import { courseFormParts } from '#src/issuer/course-body.ts'
import type { CourseInput } from '#src/issuer/course-fields.ts'
import { routeTo } from '#src/issuer/routes.ts'
import { oneLine } from './display-width.ts'

export interface ShownRequest {
  method: string
  path: string
  fields: ({ name: string; value: string } | { name: string; file: string; contentType: string; bytes: number })[]
}

/** @param uuid of the course to change; null makes a new one. Throws CourseInputError and UnusableIdError. */
export function courseRequest(input: CourseInput, uuid: string | null): ShownRequest {
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

export function requestLines({ method, path, fields }: ShownRequest): string[] {
  return [
    `${method} ${path}`,
    ...fields.map((field) =>
      'value' in field
        ? `  ${field.name} = ${oneLine(field.value)}`
        : `  ${field.name} = ${field.file}, ${field.contentType}, ${field.bytes} bytes`,
    ),
  ]
}
