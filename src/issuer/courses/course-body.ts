// Encodes a course as the form that the service expects: arrays as JSON text, the validity period under both of its
// spellings, images as files. Refuses input that breaks the documented rules. Pure.

import type { BytesBody } from '#src/issuer/http/exchange.ts'
import { type FormPart, formBody } from '#src/issuer/http/form-body.ts'
import { type CoursePurpose, checkCourseInput } from './check-course-input.ts'
import { type CourseFieldName, type CourseImage, type CourseInput, courseFieldList } from './course-fields.ts'

/**
 * Builds the request body of a course. The same input always gives the same bytes.
 * @throws CourseInputError with every fault
 */
export function courseBody(input: CourseInput, purpose: CoursePurpose): BytesBody {
  const faults = checkCourseInput(input, purpose)
  if (faults.length > 0) throw new CourseInputError(faults)
  const parts = courseFieldList.flatMap(([name, { alsoSentAs }]): FormPart[] => {
    const value = input[name]
    if (value === undefined) return []
    const encoded = encodedValue(name, value)
    return [name, ...(alsoSentAs ? [alsoSentAs] : [])].map((each) => [each, encoded])
  })
  return formBody(parts)
}

function encodedValue(name: CourseFieldName, value: NonNullable<CourseInput[CourseFieldName]>): FormPart[1] {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (isImage(value))
    return { ...value, name: `${name.replaceAll('_', '-')}.${value.contentType === 'image/png' ? 'png' : 'jpg'}` }
  return JSON.stringify(value)
}

function isImage(value: CourseImage | readonly string[]): value is CourseImage {
  return !Array.isArray(value)
}

/** Thrown when the input for a course breaks the service's documented rules. Nothing was sent. */
export class CourseInputError extends Error {
  override name = 'CourseInputError'
  /** Every fault, as checkCourseInput describes it. */
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The course cannot be sent: ${faults.join('; ')}. Nothing was sent. Fix these faults and try again.`)
    this.faults = faults
  }
}
