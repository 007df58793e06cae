// What the errors of Moodle calls mean for the caller, and what they do not repeat.

import { expect, test } from 'vitest'
import { classifyErrorCode } from '#src/extensions/lms/moodle/classify-error-code.ts'
import { MoodleAwayError, MoodleRecordError, MoodleRefusedError } from '#src/extensions/lms/moodle/moodle-error.ts'
import { systemFailureOf } from '#src/platform/http/lms-error.ts'

const name = 'core_user_get_users_by_field'

test.each([
  [
    new MoodleAwayError(name, 'HTTP 503', 7_000),
    { kind: 'away', isOfCourse: false, code: 'HTTP 503', retryAfterMs: 7_000 },
  ],
  [
    new MoodleRecordError(name, 'oddtrouble'),
    { kind: 'record', isOfCourse: true, code: 'oddtrouble', retryAfterMs: null },
  ],
  [
    new MoodleRefusedError(name, 'nopermissions', 'here', 'do something'),
    { kind: 'refused', isOfCourse: true, code: 'nopermissions', retryAfterMs: null },
  ],
  [
    new MoodleRefusedError(name, 'invalidtoken', 'everywhere', 'do something'),
    { kind: 'refused', isOfCourse: false, code: 'invalidtoken', retryAfterMs: null },
  ],
])('the failure of %s has its kind', (error, failure) => {
  expect(systemFailureOf(error)).toEqual({ name: error.name, sentence: error.message, ...failure })
})

test.each([
  ['HTTP 301', /redirects are not followed/],
  ['HTTP 404', /to which \/webservice\/rest\/server\.php is appended/],
  ['HTTP 403', /that web services and the REST protocol are enabled/],
  ['unexpected response at courses', /compare the version of Moodle/],
  ['ECONNREFUSED', /check whether Moodle is running/],
  ['no HTTP 404', /check whether Moodle is running/],
])('a site that is unavailable gives the next step for %s', (seen, step) => {
  expect(new MoodleAwayError(name, seen).message).toMatch(step)
})

test('a report that does not exist is named by its setting', () => {
  expect(new MoodleRecordError('core_reportbuilder_retrieve_report', 'invalidrecord').message).toContain('Set `report`')
})

test.each([
  ['a'.repeat(60), 'a'.repeat(60)],
  ['a'.repeat(61), 'unnamed'],
  ['with space', 'unnamed'],
  ['!nopermissions', 'unnamed'],
])('a code that is not one of Moodle’s is not repeated: %j', (code, safe) => {
  expect(classifyErrorCode(name, code)).toMatchObject({ name: 'MoodleRecordError', errorcode: safe })
})
