// Reads from a statement who completed which course and when, or which other statement it voids.

import { describe, expect, test } from 'vitest'
import {
  type CompletionRule,
  courseTypes,
  completionOf as readCompletion,
} from '#src/extensions/lms/xapi/completion.ts'
import type { Statement } from '#src/extensions/lms/xapi/statement.ts'
import { capturedStatements } from './captured-requests.ts'
import { id, type Json, openEdx, withChange } from './sample-statement.ts'

const rule: CompletionRule = { activityTypes: courseTypes, coursePointer: null }
const completionOf = (statement: Json, by = rule) => readCompletion(statement as Statement, by)

describe('a completion', () => {
  test('is found for the course, not for the page in the same request', () => {
    const completions = capturedStatements('10-moodle-ok').map((statement) => completionOf(statement))
    expect(completions).toEqual([
      {
        kind: 'completion',
        learner: { kind: 'account', homePage: 'http://127.0.0.1:8471', value: '3' },
        course: 'CRS-FIRE-101',
        at: new Date('2026-11-21T00:02:57.000Z'),
      },
      null,
    ])
  })

  test('that is repeated later has a time of its own', () => {
    const completions = capturedStatements('15-moodle-recertified').map((statement) => completionOf(statement))
    expect(completions.filter((completion) => completion !== null)).toMatchObject([
      { learner: { value: '5' }, course: 'CRS-FIRE-101', at: new Date('2026-11-21T00:08:33Z') },
      { learner: { value: '5' }, course: 'CRS-FOOD-201', at: new Date('2026-11-21T00:08:34Z') },
      { learner: { value: '4' }, course: 'CRS-FIRE-101', at: new Date('2026-11-21T00:12:13Z') },
    ])
  })

  test('from Open edX has the URL of the course as its code', () => {
    expect(completionOf(openEdx)).toEqual({
      kind: 'completion',
      learner: { kind: 'account', homePage: 'http://localhost:18000', value: '32e08e30-f8ae-4ce2-94a8-c2bfe38a70cb' },
      course: 'http://localhost:18000/course/course-v1:edX+DemoX+Demo_Course',
      at: new Date('2026-11-20T10:00:00.123Z'),
    })
  })

  test.each<[string, Json, object]>([
    ['mbox', { mbox: 'mailto:Ada@example.com' }, { kind: 'mbox', value: 'Ada@example.com' }],
    [
      'mbox_sha1sum',
      { mbox_sha1sum: 'ebd31e95054c018b10727ccffd2ef2ec3a016ee9' },
      { kind: 'mbox_sha1sum', value: 'ebd31e95054c018b10727ccffd2ef2ec3a016ee9' },
    ],
    ['openid', { openid: 'https://id.example.org/1' }, { kind: 'openid', value: 'https://id.example.org/1' }],
  ])('names the learner by %s', (_, actor, learner) => {
    expect(completionOf(withChange('actor', actor, openEdx))).toMatchObject({ learner })
  })

  test('takes the course from the configured location', () => {
    const statement = withChange('context.extensions', { 'http://example.com/code': 201 }, openEdx)
    const coursePointer = '/context/extensions/http:~1~1example.com~1code'
    expect(completionOf(statement, { ...rule, coursePointer })).toMatchObject({ course: '201' })
    expect(completionOf(openEdx, { ...rule, coursePointer })).toBeNull()
  })

  test('of a statement without a timestamp has no time', () => {
    expect(completionOf(withChange('timestamp', undefined, openEdx))).toMatchObject({ at: null })
  })

  test.each<[string, Json]>([
    ['another verb', withChange('verb.id', 'http://adlnet.gov/expapi/verbs/attempted', openEdx)],
    [
      'another activity type',
      withChange('object.definition.type', 'https://w3id.org/xapi/acrossx/activities/page', openEdx),
    ],
    ['no activity type', withChange('object.definition', undefined, openEdx)],
    ['a failure', withChange('result.success', false, openEdx)],
    ['no completion', withChange('result', { success: true, completion: false }, openEdx)],
    ['a group', withChange('actor', { objectType: 'Group', mbox: 'mailto:team@example.com' }, openEdx)],
    ['an account without a name', withChange('actor.account.name', ' ', openEdx)],
  ])('is not found in a statement with %s', (_, statement) => {
    expect(completionOf(statement)).toBeNull()
  })
})

test('a voiding names the voided statement', () => {
  const voiding = withChange('verb.id', 'http://adlnet.gov/expapi/verbs/voided', openEdx)
  const statement = withChange('object', { objectType: 'StatementRef', id: id.toUpperCase() }, voiding)
  expect(completionOf(statement)).toEqual({ kind: 'voiding', voids: id })
})

test.each([
  [' FIRE-1 ', 'FIRE-1'],
  [' ', null],
])('a course code %j is read as %j', (code, course) => {
  const statement = withChange('context.extensions', { 'http://example.com/code': code }, openEdx)
  const coursePointer = '/context/extensions/http:~1~1example.com~1code'
  const found = completionOf(statement, { ...rule, coursePointer })
  expect(found?.kind === 'completion' ? found.course : null).toBe(course)
})
