// What one HTTP response of Moodle means.

import { describe, expect, test } from 'vitest'
import { readMoodleResponse } from '#src/extensions/lms/moodle/call.ts'
import { MoodleError } from '#src/extensions/lms/moodle/moodle-error.ts'
import type { LmsResponse } from '#src/platform/http/http-client.ts'

const now = new Date('2026-03-01T12:00:00Z')
const answer = (text: string, { status = 200, headers = {} } = {}): LmsResponse => ({
  ...{ kind: 'answer', status, headers, text },
})

function failureOf(response: LmsResponse) {
  try {
    readMoodleResponse('a_function', response, now)
  } catch (error) {
    if (error instanceof MoodleError) return { name: error.name, code: error.errorcode, ...retryAfter(error) }
    throw error
  }
  throw new Error('The response was accepted.')
}
const retryAfter = (error: MoodleError) => ({ retryAfterMs: error.failure.retryAfterMs })

test.each<[string, number, unknown]>([
  ['{"a":[1]}', 200, { a: [1] }],
  ['null', 200, null],
  ['[]', 200, []],
  ['"text"', 200, 'text'],
  ['{"a":1}', 399, { a: 1 }],
  ['{"exception":null,"errorcode":"invalidtoken"}', 200, { exception: null, errorcode: 'invalidtoken' }],
  ['{"errorcode":"invalidtoken"}', 200, { errorcode: 'invalidtoken' }],
])('the JSON %s with status %i is an answer', (text, status, value) => {
  expect(readMoodleResponse('a_function', answer(text, { status }), now)).toEqual(value)
})

describe('a response that is no answer', () => {
  const away = (code: string, retryAfterMs: number | null = null) => ({ name: 'MoodleAwayError', code, retryAfterMs })
  const record = (code: string) => ({ name: 'MoodleRecordError', code, retryAfterMs: null })
  const wait = { headers: { 'retry-after': '7' } }

  test.each<[string, LmsResponse, object]>([
    ['a network error', { kind: 'failed', code: 'ECONNRESET', sent: true }, away('ECONNRESET')],
    ['a long code', { kind: 'failed', code: 'A'.repeat(40), sent: true }, away('A'.repeat(40))],
    ['a code that is too long', { kind: 'failed', code: 'A'.repeat(41), sent: true }, away('no response')],
    ['a code with something before it', { kind: 'failed', code: '1ECONNRESET', sent: true }, away('no response')],
    ['a code with something behind it', { kind: 'failed', code: 'ECONNRESET 1', sent: true }, away('no response')],
    ['a bad gateway', answer('{}', { status: 502, ...wait }), away('HTTP 502', 7_000)],
    ['a gateway without a backend', answer('{}', { status: 503 }), away('HTTP 503')],
    ['a gateway that timed out', answer('{}', { status: 504, ...wait }), away('HTTP 504', 7_000)],
    ['a page', answer('<html>', wait), away('HTTP 200 without JSON', 7_000)],
    ['an error status', answer('{}', { status: 400, ...wait }), away('HTTP 400', 7_000)],
    ['an exception', answer('{"exception":"x","errorcode":"oddtrouble"}'), record('oddtrouble')],
    ['an exception with an error status', answer('{"exception":"x"}', { status: 500 }), record('unnamed')],
    ['an exception whose code is no text', answer('{"exception":"x","errorcode":7}'), record('unnamed')],
  ])('is classified: %s', (_, response, failure) => {
    expect(failureOf(response)).toEqual(failure)
  })
})
