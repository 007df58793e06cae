// What is stored with a course about its first list, and which of the courses an operator's decision is about.

import { expect, test } from 'vitest'
import { noteFirstList, reasonToHold, settleFirstList } from '#src/ledger/runs/first-list.ts'
import { addRun } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, otherCourse } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const ada = { by: 'Ada', why: 'she looked' }
const course = { environment: 'development', course: aCourse }
const places = [
  [course.environment, aCourse],
  [course.environment, otherCourse],
  ['production', aCourse],
]

/** The course, another one, and the same one in another environment: the report shows something of each. */
async function openShown(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  for (const [environment, id] of places)
    await testLedger.database.query(
      `INSERT INTO course (environment, course_uuid, first_list, first_list_shows) VALUES ($1, $2, 'shown', 'It shows Ada.')`,
      [environment, id],
    )
  return testLedger
}

/** What is stored with each of the courses. */
async function stored({ database }: TestLedger): Promise<unknown[]> {
  const { rows } = await database.query<{ state: string; shows: string }>(
    `SELECT first_list AS state, first_list_shows AS shows FROM course ORDER BY environment, course_uuid`,
  )
  return rows.map(({ state, shows }) => (shows === null ? state : `${state}: ${shows}`))
}
const shown = 'shown: It shows Ada.'

const set = ({ database }: TestLedger, state: string | null, environment = 'development', id = aCourse) =>
  database.query(
    `UPDATE course SET first_list = $1, first_list_shows = CASE WHEN $1 = 'shown' THEN first_list_shows END
     WHERE environment = $2 AND course_uuid = $3`,
    [state, environment, id],
  )

describeWithDatabase('a course whose first list is held', () => {
  const braked = { state: 'braked', shown: true }

  test('is no longer held once a list is approved, and is searched again once it is rejected', async () => {
    await using testLedger = await openShown()
    const { ledger, database } = testLedger
    const [first, second] = [await addRun(database, 'first', braked), await addRun(database, 'second', braked)]
    const other = await addRun(database, 'other', braked)
    const elsewhere = await addRun(database, 'elsewhere', { ...braked, environment: 'production' })
    expect(await ledger.brake.reject(elsewhere, ada)).toBe(false)
    expect(await ledger.brake.reject(first, ada)).toBe(true)
    expect(await stored(testLedger)).toEqual([null, shown, shown])
    const stateOf = async (id: string) => (await ledger.runs.find(id))?.state
    expect(await stateOf(second)).toBe('braked')
    await ledger.brake.approve(second, ada)
    expect(await stored(testLedger)).toEqual(['approved', shown, shown])
    expect([await stateOf(first), await stateOf(second), await stateOf(other), await stateOf(elsewhere)]).toEqual([
      ...['refused', 'received', 'braked', 'braked'],
    ])
    // A list that is rejected after another one was approved changes nothing.
    await ledger.brake.reject(await addRun(database, 'third', braked), ada)
    expect(await stored(testLedger)).toEqual(['approved', shown, shown])
  })

  test.each<[before: string | null, after: string]>([
    [null, 'shown: It shows Bea.'],
    ['clear', 'shown: It shows Bea.'],
    ['shown', 'shown: It shows Bea.'],
    ['approved', 'approved'],
    ['adopted', 'adopted'],
  ])('and is %s: what the report shows is noted, unless somebody has decided', async (before, after) => {
    await using testLedger = await openShown()
    await set(testLedger, before)
    await noteFirstList(testLedger.database, course, { shows: 'It shows Bea.' })
    expect(await stored(testLedger)).toEqual([after, shown, shown])
    await settleFirstList(testLedger.database, course, 'adopted')
    expect(await stored(testLedger)).toEqual(['adopted', shown, shown])
  })

  test.each<[what: string, isHeld: boolean, environment: string, id: string]>([
    ['its first list', false, 'development', aCourse],
    ['that of another course', true, 'development', otherCourse],
    ['that of another environment', true, 'production', aCourse],
  ])('is held after somebody approved %s: %s', async (_, isHeld, environment, id) => {
    await using testLedger = await openShown()
    const reason = () => reasonToHold(testLedger.database, course, { shows: 'It shows Bea.' })
    await testLedger.database.query(`UPDATE course SET first_list = 'clear'`)
    await set(testLedger, 'approved', environment, id)
    // The row of the course is stored after the others.
    await testLedger.database.query(
      `UPDATE course SET first_list = first_list WHERE environment = $1 AND course_uuid = $2`,
      [course.environment, aCourse],
    )
    expect(await reason()).toBe(isHeld ? 'It shows Bea.' : null)
  })
})

describeWithDatabase('a run that cannot be read yet', () => {
  test('says why, as long as it waits', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const received = await addRun(database, 'received', { state: 'received' })
    const other = await addRun(database, 'other', { state: 'received' })
    const published = await addRun(database, 'published')
    for (const run of [received, published]) await ledger.firstList.noteWaiting(run, 'The report is away.')
    const { rows } = await database.query('SELECT id FROM run WHERE waits_because IS NOT NULL')
    expect(rows).toEqual([{ id: received }])
    expect((await ledger.runs.find(other))?.waits).toBeNull()
  })
})
