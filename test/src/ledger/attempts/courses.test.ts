// Which pauses and which batch limits count for a course.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, publish } from '#test/support/test-ledger.ts'

const thirdCourse = '33333333-3333-4333-8333-333333333333'
const fourthCourse = '44444444-4444-4444-8444-444444444444'

describeWithDatabase('the batch limit of a pipeline', () => {
  test('is the smallest of the courses to which the pipeline has sent, in its own environment', async () => {
    await using testLedger = await openTestLedger()
    const production = await openWholeLedger(testLedger.database, 'production')
    await testLedger.publish(recipients(1))
    await testLedger.publish(recipients(1, 2), { course: otherCourse })
    await testLedger.publish(recipients(1, 3), { course: thirdCourse, pipeline: 'autumn' })
    await publish(production, recipients(1, 4), { course: fourthCourse })
    await testLedger.database.query(
      `INSERT INTO course (environment, course_uuid, batch_limit) VALUES
         ('development', $1, 9), ('development', $2, 8), ('development', $3, 2), ('development', $4, 3), ('production', $1, 1)`,
      [aCourse, otherCourse, thirdCourse, fourthCourse],
    )
    expect(await testLedger.ledger.courses.learnedBatchLimit('spring')).toBe(8)
  })
})

describeWithDatabase('the pauses of courses', () => {
  test('are those that have not ended, of one environment or of all', async () => {
    await using testLedger = await openTestLedger()
    const [production, any] = [
      await openWholeLedger(testLedger.database, 'production'),
      await openWholeLedger(testLedger.database, 'any'),
    ]
    await testLedger.ledger.courses.pause(aCourse, 'own', 60_000)
    await testLedger.ledger.courses.pause(otherCourse, 'over', -1_000)
    await production.courses.pause(aCourse, 'of production', 60_000)
    const reasons = async (ledger: typeof production) =>
      (await ledger.courses.pauses()).map(({ reason }) => reason).sort()
    expect(await reasons(testLedger.ledger)).toEqual(['own'])
    expect(await reasons(production)).toEqual(['of production'])
    expect(await reasons(any)).toEqual(['of production', 'own'])
  })

  test('begin now if a version that did not record their beginning wrote them', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.ledger.courses.pause(aCourse, 'own', 60_000)
    await testLedger.database.query('UPDATE course SET paused_since = NULL')
    expect((await testLedger.ledger.courses.pauses())[0]?.since).toBeInstanceOf(Date)
  })

  test.each([
    ['for the same reason', true, 'not approved', 0],
    ['for the same reason, long after the first one ended', false, 'not approved', 120],
    ['for another reason', false, 'not there', 0],
  ])('that follow each other %s count as one: %s', async (_, isOne, reason, secondsBetween) => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await ledger.courses.pause(aCourse, 'not approved', 0)
    await database.query(
      `UPDATE course SET paused_since = '2026-01-01T00:00:00Z', paused_until = clock_timestamp() - make_interval(secs => $1)`,
      [secondsBetween],
    )
    await ledger.courses.pause(aCourse, reason, 60_000)
    const [pause] = await ledger.courses.pauses()
    const since = new Date('2026-01-01T00:00:00Z').getTime()
    expect((pause?.since.getTime() ?? 0) === since).toBe(isOne)
  })
})
