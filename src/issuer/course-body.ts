// A course as the form that the service wants: arrays as JSON text, the validity under both of its spellings, images as files.

import { type CoursePurpose, checkCourseInput } from './check-course-input.ts'
import { type CourseFieldName, type CourseImage, type CourseInput, courseFieldList } from './course-fields.ts'
import { CourseInputError } from './course-input-error.ts'
import type { BytesBody } from './exchange.ts'
import { type FormPart, formBody } from './form-body.ts'

/** Throws CourseInputError with every fault. The same input gives the same bytes. */
export function courseBody(input: CourseInput, purpose: CoursePurpose): BytesBody {
  return formBody(courseFormParts(input, purpose))
}

/** The fields of that form, in order, for showing what would be sent. Throws CourseInputError too. */
export function courseFormParts(input: CourseInput, purpose: CoursePurpose): FormPart[] {
  const faults = checkCourseInput(input, purpose)
  if (faults.length > 0) throw new CourseInputError(faults)
  return courseFieldList.flatMap(([name, { alsoSentAs }]): FormPart[] => {
    const value = input[name]
    if (value === undefined) return []
    const written = writtenValue(name, value)
    return alsoSentAs
      ? [
          [name, written],
          [alsoSentAs, written],
        ]
      : [[name, written]]
  })
}

function writtenValue(name: CourseFieldName, value: NonNullable<CourseInput[CourseFieldName]>): FormPart[1] {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (isImage(value))
    return { ...value, name: `${name.replaceAll('_', '-')}.${value.contentType === 'image/png' ? 'png' : 'jpg'}` }
  return JSON.stringify(value)
}

function isImage(value: CourseImage | readonly string[]): value is CourseImage {
  return !Array.isArray(value)
}
