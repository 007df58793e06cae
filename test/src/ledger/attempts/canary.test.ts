// Which calls of which course decide whether it needs a canary, and whether it is paused. The calls are written into the
// ledger directly, minute by minute.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

interface Call {
  outcome: string | null
  /** Minutes after noon. */
  from: number
  to: number | null
  course?: string
  code?: string
}

interface Course {
  course?: string
  /** Minutes after noon. */
  canarySince?: number
  level?: number
  afterTrouble?: boolean
}

const call = (outcome: string | null, from: number, to: number | null, more: Partial<Call> = {}): Call => ({
  ...{ outcome, from, to },
  ...more,
})
const timeOf = (minute: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + minute * 60_000)

/** Adds a course of its own with these calls and pauses, and another one for those of `otherCourse`. @returns its id */
async function addCourse(database: Database, calls: readonly Call[], courses: readonly Course[] = []): Promise<string> {
  const ids = new Map([aCourse, otherCourse].map((course) => [course, randomUUID()]))
  for (const { outcome, from, to, course = aCourse, code = null } of calls)
    await database.query(
      `INSERT INTO attempt (environment, pipeline, course_uuid, size, phase, outcome, error_code, sending_at, ended_at)
       VALUES ('development', 'spring', $1, 1, CASE WHEN $2::text IS NULL THEN 'sending' ELSE 'ended' END, $2, $3, $4, $5)`,
      [ids.get(course), outcome, code, timeOf(from), to === null ? null : timeOf(to)],
    )
  for (const { course = aCourse, level = 0, canarySince = 0, afterTrouble = false } of courses)
    await database.query(
      `INSERT INTO course (environment, course_uuid, canary_since, trouble_level, paused_since, paused_after_trouble)
       VALUES ('development', $1, $2, $3, $4, $5)`,
      [ids.get(course), timeOf(canarySince), level, old, afterTrouble],
    )
  return ids.get(aCourse) ?? ''
}

const old = new Date('2026-01-01T00:00:00Z')
const accepted = call('accepted', 10, 20)

describeWithDatabase('a course', () => {
  const cases: [what: string, needsCanary: boolean, calls: Call[], courses?: Course[]][] = [
    ['no call', true, []],
    ['an accepted call', false, [accepted]],
    ['a refused call', true, [call('refused', 10, 20)]],
    ['an accepted call for another course', true, [{ ...accepted, course: otherCourse }]],
    ['an accepted call before it was paused', true, [accepted], [{ canarySince: 15 }]],
    ['an accepted call in the moment when it was paused', true, [accepted], [{ canarySince: 10 }]],
    ['an accepted call after it was paused', false, [accepted], [{ canarySince: 5 }]],
    [
      'an accepted call before a pause of another course',
      false,
      [accepted],
      [{ canarySince: 15, course: otherCourse }],
    ],
  ]
  test('needs a canary until it has accepted a call since its last pause', async () => {
    await using testLedger = await openTestLedger()
    for (const [what, needsCanary, calls, courses] of cases) {
      const course = await addCourse(testLedger.database, calls, courses)
      expect(await testLedger.ledger.courses.needsCanary(course), what).toBe(needsCanary)
    }
  })

  test.each<[what: string, batches: number, open: Call[]]>([
    ['a call of its own is open', 0, [call(null, 10, null)]],
    ['a call of its own has ended', 1, [call('unknown', 10, 20)]],
    ['a call for another course is open', 1, [call(null, 10, null, { course: otherCourse })]],
  ])('that needs a canary, while %s, gets %i batches', async (_, batches, open) => {
    await using testLedger = await openTestLedger()
    const course = await addCourse(testLedger.database, open)
    await testLedger.publish(recipients(2), { course })
    expect(await testLedger.ledger.attempts.prepare('spring', 1, { canary: true, batches: 2 })).toHaveLength(batches)
  })
})

const breaker = { firstMs: 5_000, maxMs: 600_000 }
const twice = 'two calls in a row had an unknown outcome'
const again = 'the retry also had an unknown outcome'
const refused = 'the service has refused or not answered the first two calls'
const unknownTwice = [call('unknown', 10, 20), call('unknown', 30, 40)]
const refusedTwice = [call('refused', 10, 20), call('refused', 30, 40)]

interface Case {
  calls: Call[]
  courses?: Course[]
  /** How long the course is paused and why; null if it is not. */
  paused: [ms: number, reason: string] | null
}

describeWithDatabase('the circuit breaker', () => {
  const cases: [what: string, Case][] = [
    ['no calls', { calls: [], paused: null }],
    ['no calls of a course that was paused', { calls: [], courses: [{ level: 1 }], paused: null }],
    ['two unknown outcomes', { calls: unknownTwice, paused: [5_000, twice] }],
    [
      'two unknown outcomes, one of them for another course',
      { calls: [call('unknown', 10, 20), call('unknown', 30, 40, { course: otherCourse })], paused: null },
    ],
    [
      'an unknown outcome and a call that is under way',
      { calls: [call('unknown', 10, 20), call(null, 30, null)], paused: null },
    ],
    [
      'an unknown outcome and a worker that died',
      { calls: [call('unknown', 10, 20), call('unknown', 30, 40, { code: 'WORKER_DIED' })], paused: null },
    ],
    [
      'two unknown outcomes with rejected keys between them',
      {
        calls: [call('unknown', 10, 20), call('unauthorised', 22, 24), call('unknown', 30, 40)],
        paused: [5_000, twice],
      },
    ],
    [
      'two unknown outcomes, the second call sent as the first one ended',
      { calls: [call('unknown', 10, 20), call('unknown', 20, 30)], paused: [5_000, twice] },
    ],
    [
      'two unknown outcomes of calls that overlapped',
      { calls: [call('unknown', 10, 20), call('unknown', 19, 30)], paused: null },
    ],
    [
      'an accepted call between two unknown outcomes',
      { calls: [call('unknown', 10, 20), call('accepted', 22, 24), call('unknown', 30, 40)], paused: null },
    ],
    [
      'an accepted call before two unknown outcomes',
      { calls: [call('accepted', 1, 2), ...unknownTwice], paused: [5_000, twice] },
    ],
    ['two refusals', { calls: refusedTwice, paused: [5_000, refused] }],
    ['an accepted call before two refusals', { calls: [call('accepted', 1, 2), ...refusedTwice], paused: null }],
    [
      'a throttled call between two refusals',
      { calls: [call('refused', 10, 20), call('throttled', 22, 24), call('refused', 30, 40)], paused: null },
    ],
    [
      'a refusal and an unknown outcome',
      { calls: [call('refused', 10, 20), call('unknown', 30, 40)], paused: [5_000, refused] },
    ],
    [
      'an unknown outcome before a pause, and one after it',
      { calls: unknownTwice, courses: [{ canarySince: 25 }], paused: null },
    ],
    [
      'an unknown outcome in the moment of a pause, and one after it',
      { calls: unknownTwice, courses: [{ canarySince: 10 }], paused: null },
    ],
    [
      'two unknown outcomes before a pause of another course',
      { calls: unknownTwice, courses: [{ canarySince: 50, course: otherCourse }], paused: [5_000, twice] },
    ],
    [
      'one unknown outcome after the second pause',
      { calls: [call('unknown', 10, 20)], courses: [{ level: 2 }], paused: [20_000, again] },
    ],
    ['one refusal after the second pause', { calls: [call('refused', 10, 20)], courses: [{ level: 2 }], paused: null }],
    [
      'one unknown outcome after the hundredth pause',
      { calls: [call('unknown', 10, 20)], courses: [{ level: 100 }], paused: [600_000, again] },
    ],
  ]
  test('pauses a course after its last calls', async () => {
    await using testLedger = await openTestLedger()
    const { courses: store } = testLedger.ledger
    for (const [what, { calls, courses, paused }] of cases) {
      const course = await addCourse(testLedger.database, calls, courses)
      const ms = await store.pauseAfterTrouble(course, breaker)
      const pause = (await store.pauses()).find(({ courseUuid }) => courseUuid === course)
      expect([ms, pause?.reason], what).toEqual(
        paused === null ? [null, undefined] : [paused[0], expect.stringContaining(paused[1])],
      )
    }
  })

  test.each<[what: string, since: Date | null, calls: Call[], course: Course]>([
    ['after a pause for the same reason', old, [call('unknown', 10, 20)], { level: 1, afterTrouble: true }],
    ['after a pause for another reason', null, [call('unknown', 10, 20)], { level: 1 }],
    ['after an accepted call', null, [call('accepted', 1, 2), ...unknownTwice], { level: 1, afterTrouble: true }],
  ])('pauses a course %s since %s', async (_, since, calls, course) => {
    await using testLedger = await openTestLedger()
    await testLedger.ledger.courses.pauseAfterTrouble(await addCourse(testLedger.database, calls, [course]), breaker)
    const [pause] = await testLedger.ledger.courses.pauses()
    if (since) expect(pause?.since).toEqual(since)
    else expect(pause?.since.getTime()).toBeGreaterThan(old.getTime())
  })
})
