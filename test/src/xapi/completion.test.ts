// What a statement tells: who completed which course, when; or which other statement counts no more.

import { describe, expect, test } from 'vitest'
import { type CompletionRule, completionOf, completionVerbs, courseTypes } from '#src/xapi/completion.ts'
import type { JsonObject } from '#src/xapi/json.ts'
import { capturedStatements } from './captured.ts'
import { changed, id, openEdx } from './sample-statement.ts'

const rule: CompletionRule = {
  verbs: Object.values(completionVerbs),
  activityTypes: courseTypes,
  coursePointer: null,
}

describe('a completion', () => {
  test('is that of the course, not that of the page in the same request', () => {
    const told = capturedStatements('10-moodle-ok').map((statement) => completionOf(statement, rule))
    expect(told).toEqual([
      {
        kind: 'completion',
        learner: { kind: 'account', homePage: 'http://127.0.0.1:8471', value: '3' },
        course: 'CRS-FIRE-101',
        at: new Date('2026-11-21T00:02:57.000Z'),
      },
      null,
    ])
  })

  test('of a second time is told with its own time', () => {
    const told = capturedStatements('15-moodle-recertified').map((statement) => completionOf(statement, rule))
    expect(told.filter((each) => each !== null)).toMatchObject([
      { learner: { value: '5' }, course: 'CRS-FIRE-101', at: new Date('2026-11-21T00:08:33Z') },
      { learner: { value: '5' }, course: 'CRS-FOOD-201', at: new Date('2026-11-21T00:08:34Z') },
      { learner: { value: '4' }, course: 'CRS-FIRE-101', at: new Date('2026-11-21T00:12:13Z') },
    ])
  })

  test('of Open edX has the address of the course for its code', () => {
    expect(completionOf(openEdx, rule)).toEqual({
      kind: 'completion',
      learner: { kind: 'account', homePage: 'http://localhost:18000', value: '32e08e30-f8ae-4ce2-94a8-c2bfe38a70cb' },
      course: 'http://localhost:18000/course/course-v1:edX+DemoX+Demo_Course',
      at: new Date('2026-11-20T10:00:00.123Z'),
    })
  })

  test.each<[string, JsonObject, object]>([
    ['mbox', { mbox: 'mailto:Ada@example.com' }, { kind: 'mbox', value: 'Ada@example.com' }],
    [
      'mbox_sha1sum',
      { mbox_sha1sum: 'ebd31e95054c018b10727ccffd2ef2ec3a016ee9' },
      { kind: 'mbox_sha1sum', value: 'ebd31e95054c018b10727ccffd2ef2ec3a016ee9' },
    ],
    ['openid', { openid: 'https://id.example.org/1' }, { kind: 'openid', value: 'https://id.example.org/1' }],
  ])('names the learner by %s', (_, actor, learner) => {
    expect(completionOf(changed('actor', actor, openEdx), rule)).toMatchObject({ learner })
  })

  test('takes the course from where it was told to', () => {
    const statement = changed('context.extensions', { 'http://example.com/code': 201 }, openEdx)
    const coursePointer = '/context/extensions/http:~1~1example.com~1code'
    expect(completionOf(statement, { ...rule, coursePointer })).toMatchObject({ course: '201' })
    expect(completionOf(openEdx, { ...rule, coursePointer })).toBeNull()
  })

  test('without a time has none', () => {
    expect(completionOf(changed('timestamp', undefined, openEdx), rule)).toMatchObject({ at: null })
  })

  test.each<[string, JsonObject]>([
    ['another verb', changed('verb.id', 'http://adlnet.gov/expapi/verbs/attempted', openEdx)],
    ['another type', changed('object.definition.type', 'https://w3id.org/xapi/acrossx/activities/page', openEdx)],
    ['no type', changed('object.definition', undefined, openEdx)],
    ['no success', changed('result.success', false, openEdx)],
    ['no completion', changed('result', { success: true, completion: false }, openEdx)],
    ['a group', changed('actor', { objectType: 'Group', mbox: 'mailto:team@example.com' }, openEdx)],
    ['an account without a name', changed('actor.account.name', ' ', openEdx)],
  ])('is not seen in a statement with %s', (_, statement) => {
    expect(completionOf(statement, rule)).toBeNull()
  })

  test('counts by the verbs that were asked for only', () => {
    expect(completionOf(openEdx, { ...rule, verbs: [completionVerbs.completed] })).toBeNull()
  })
})

test('a voiding names the statement that counts no more', () => {
  const voiding = changed('verb.id', 'http://adlnet.gov/expapi/verbs/voided', openEdx)
  const statement = changed('object', { objectType: 'StatementRef', id: id.toUpperCase() }, voiding)
  expect(completionOf(statement, rule)).toEqual({ kind: 'voiding', voids: id })
})
