// Which errors refuse a whole run, and which let it be read again.

import { expect, test } from 'vitest'
import { SourceChangedError, SourceMissingError } from '#src/files/tables/hash-file.ts'
import { SourceError } from '#src/files/tables/source-error.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { refusalOf } from '#src/issuing/intake/refusing-errors.ts'
import { PlanError } from '#src/issuing/intake/row-check.ts'
import { CourseUnknownError } from '#src/issuing/pipelines/course-cache.ts'
import { PipelineUnknownError } from '#src/issuing/pipelines/pipelines.ts'
import { UploadSheetError } from '#src/issuing/upload/check-sheet.ts'

const refused = (status: number) => new ServiceRefusedError(status, 'recipient-fields', 'no such course')

test.each([
  new PlanError(['a fault']),
  new SourceError('damaged', 'people.csv', 'The file is damaged.'),
  new SourceChangedError('The file was changed.'),
  new SourceMissingError('The file is gone.'),
  new CourseUnknownError('No such course.'),
  new PipelineUnknownError('No such pipeline.'),
  new UploadSheetError(['a fault']),
  refused(400),
  refused(404),
])('a run is refused because of %s, with a message for the file’s owner', (error) => {
  expect(error.message).not.toBe('')
  expect(refusalOf(error)).toBe(error.message)
})

test.each([
  new Error('away'),
  new TypeError('fault'),
  Object.assign(new Error('not the service'), { status: 404 }),
  refused(403),
  refused(500),
  'text',
  { name: 'PlanError', message: 'not an error' },
  null,
])('a run is read again after %s', (error) => {
  expect(refusalOf(error)).toBeNull()
})
