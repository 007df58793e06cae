// Which runs count for the brake, for the first list of a course and for the inbox: one of every kind, written into the
// ledger directly.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { publication } from '#test/guarantees/interleavings/scene.ts'
import { addRun, hoursAgo } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aCourse, aRecipient, aStagedRow, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, publish, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('the size of a list', () => {
  const lists: [accepted: number, more: Record<string, unknown>][] = [
    [1, { published_at: hoursAgo(2) }],
    [2, { published_at: hoursAgo(25) }],
    [3, { published_at: hoursAgo(1), approved_at: new Date(), approved_by: 'ada' }],
    [0, { published_at: hoursAgo(1) }],
    [4, { published_at: hoursAgo(1), corrects: 1 }],
    [5, { published_at: hoursAgo(1), adopts: 'Welding' }],
    [6, { published_at: hoursAgo(1), pipeline: 'autumn' }],
    [7, { published_at: hoursAgo(1), environment: 'production' }],
    [8, { published_at: hoursAgo(1), state: 'refused' }],
  ]
  async function openLists(): Promise<TestLedger> {
    const testLedger = await openTestLedger()
    for (const [accepted, more] of lists)
      await addRun(testLedger.database, `${accepted}`, { accepted, rows: accepted, ...more })
    return testLedger
  }

  test('is compared with the last lists of the pipeline that issued anything', async () => {
    await using testLedger = await openLists()
    await using unordered = await openUnordered(testLedger)
    expect(await unordered.ledger.brake.recentSizes('spring')).toEqual([3, 1, 2])
  })

  test('is added to those of the last day that nobody had to approve', async () => {
    await using testLedger = await openLists()
    expect(await testLedger.ledger.brake.issuedToday('spring')).toBe(1)
    expect(await testLedger.ledger.brake.issuedToday('winter')).toBe(0)
  })
})

/**
 * Person 1 is known for the course, person 2 only for another one, and person 3 only in another environment.
 */
async function openKnown(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  const { database, ledger } = testLedger
  await testLedger.publish(recipients(1))
  await testLedger.publish(recipients(1, 2), { course: otherCourse })
  await publish(await openWholeLedger(database, 'production'), recipients(1, 3))
  // The keys of two courses differ in fact.
  for (const person of [1, 2, 3])
    await withoutTriggers(database, 'UPDATE issuance SET issuance_key = $2 WHERE id = $1', [
      person,
      aStagedRow(2, aRecipient(person), ledger.hasher).issuanceKey,
    ])
  return testLedger
}

const invalid = ({ ledger }: TestLedger, row: number, person: number) => ({
  ...aStagedRow(row, aRecipient(person), ledger.hasher),
  violations: aBadRow(row).violations,
})
const valid = ({ ledger }: TestLedger, row: number, person: number) =>
  aStagedRow(row, aRecipient(person), ledger.hasher)

describeWithDatabase('completions that the brake holds', () => {
  test('say what would become of each of them', async () => {
    await using testLedger = await openKnown()
    const { database, ledger } = testLedger
    const completed = { course: 'FIRE-1', completedAt: new Date('2026-01-01'), cells: {} }
    const ingest = async (learners: string[]) => {
      const source = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
      await ledger.completions.ingest(
        source,
        learners.map((learner) => ({ learner, ...completed })),
        'poll',
      )
      return (await ledger.completions.createRun('spring')) ?? ''
    }
    const other = await ingest(['other'])
    await ledger.intake.stage(other, [valid(testLedger, 2, 7)])
    const held = ['invalid', 'known', 'issue', 'issue', 'issue', 'known', 'issue', 'invalid', 'issue']
    const run = await ingest(held.map((_, at) => `l${at}`))
    await ledger.intake.stage(run, [
      aBadRow(2),
      ...[1, 2, 3, 4, 4, 7].map((person, at) => valid(testLedger, at + 3, person)),
      ...[invalid(testLedger, 9, 8), valid(testLedger, 10, 8)],
    ])
    await ledger.intake.publish(run, { ...publication, brake: { rows: 1 } }, held.length)
    const { rows } = await database.query<{ held: string | null }>(
      'SELECT held_as AS held FROM completion WHERE run_id = $1 ORDER BY row_number',
      [run],
    )
    expect(rows.map((row) => row.held)).toEqual(held)
    expect(await testLedger.queryOne('SELECT held_as AS held FROM completion WHERE run_id = $1', [other])).toEqual({
      held: null,
    })
  })
})

describeWithDatabase('the first list of a course', () => {
  const sent = `UPDATE issuance SET first_sent_at = clock_timestamp() WHERE id =`
  const note = (environment: string, course: string, state: string) =>
    `INSERT INTO course (environment, course_uuid, first_list, first_list_shows) VALUES ('${environment}', '${course}', '${state}', 'It shows Ada.')`
  const adopting = (id: number) =>
    `UPDATE run SET adopting = true, adopts = 'Welding' WHERE id = (SELECT run_id FROM issuance WHERE id = ${id})`

  test.each<[what: string, status: unknown, changes: string[]]>([
    ['nothing has been sent or searched', 'unknown', []],
    ['a row of the course was sent', 'settled', [`${sent} 1`]],
    ['a row of another course was sent', 'unknown', [`${sent} 2`]],
    ['a row was sent in another environment', 'unknown', [`${sent} 3`]],
    ['a row is part of an adoption that is not finished', 'unknown', [`${sent} 1`, adopting(1)]],
    ['a row was sent, and another course is being adopted', 'settled', [`${sent} 1`, adopting(2)]],
    ['the report was searched', 'settled', [note('development', aCourse, 'clear')]],
    ['the report shows somebody', { shows: 'It shows Ada.' }, [note('development', aCourse, 'shown')]],
    ['the report was searched for another course', 'unknown', [note('development', otherCourse, 'clear')]],
    ['the report was searched in another environment', 'unknown', [note('production', aCourse, 'clear')]],
  ])('is, if %s, %s', async (_, status, changes) => {
    await using testLedger = await openKnown()
    for (const change of changes) await withoutTriggers(testLedger.database, change)
    expect(await testLedger.ledger.firstList.status(aCourse)).toEqual(status)
  })
})

describeWithDatabase('a file that is handed over again', () => {
  test.each<[what: string, isResumed: boolean, more: Record<string, unknown>]>([
    ['is being read', true, { state: 'received' }],
    ['is published, and not settled', true, {}],
    ['was settled', false, { settled_at: new Date() }],
    ['was refused', false, { state: 'refused' }],
    ['has another content', false, { source_sha256: 'other' }],
    ['is of another pipeline', false, { pipeline: 'autumn' }],
    ['is of another environment', false, { environment: 'production' }],
  ])('resumes the run of the first one, which %s: %s', async (_, isResumed, more) => {
    await using testLedger = await openTestLedger()
    const id = await addRun(testLedger.database, 'a', more)
    const source = { pipeline: 'spring', sourceName: 'b', sourcePath: '/in/b', sourceSha256: 'a' }
    const { run, resumed } = await testLedger.ledger.runs.receive(source)
    expect([resumed, run.id === id]).toEqual([isResumed, isResumed])
  })

  test.each<[what: string, path: string, more: Record<string, unknown>]>([
    ['waits to be read', '/in/b', { state: 'received' }],
    ['is published', '/in/a', {}],
    ['came through the inbox', '/in/a', { state: 'received', inbox: true }],
  ])('if its run %s, is expected at %s', async (_, path, more) => {
    await using testLedger = await openTestLedger()
    await addRun(testLedger.database, 'another', { state: 'received', source_path: '/in/another' })
    const id = await addRun(testLedger.database, 'a', more)
    const source = { pipeline: 'spring', sourceName: 'b', sourcePath: '/in/b', sourceSha256: 'a' }
    await testLedger.ledger.runs.receive(source)
    expect((await testLedger.ledger.runs.find(id))?.sourcePath).toBe(path)
    const { rows } = await testLedger.database.query(`SELECT FROM run WHERE source_path = '/in/another'`)
    expect(rows).toHaveLength(1)
  })
})

describeWithDatabase('the files of an inbox', () => {
  test('are moved away once their runs are settled and their results are written, in this order', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const settled = (hours: number, more: Record<string, unknown> = {}) => ({
      ...{ inbox: true, settled_at: hoursAgo(hours) },
      ...more,
    })
    const writeBack = async (id: string, reported: number) => {
      await database.query(
        `INSERT INTO write_back (run_id, target, wanted, written) VALUES ($1, 'results-file', 2, $2)`,
        [id, reported],
      )
    }
    await addRun(database, 'later', settled(1))
    await writeBack(await addRun(database, 'written', settled(3)), 2)
    await addRun(database, 'sooner', settled(2))
    await writeBack(await addRun(database, 'not written', settled(1)), 1)
    await addRun(database, 'filed', settled(1, { filed_at: new Date() }))
    await addRun(database, 'not settled', { inbox: true })
    await addRun(database, 'not of the inbox', settled(1, { inbox: false }))
    await addRun(database, 'of autumn', settled(1, { pipeline: 'autumn' }))
    await addRun(database, 'of winter, filed', settled(1, { pipeline: 'winter', filed_at: new Date() }))
    for (const pipeline of ['spring', 'summer'])
      await addRun(database, `${pipeline} of production`, settled(1, { environment: 'production', pipeline }))
    const paths = (await ledger.inboxes.unfiled('spring')).map(({ sourcePath }) => sourcePath)
    expect(paths).toEqual(['/in/written', '/in/sooner', '/in/later'])
    expect(await ledger.inboxes.pipelinesToFile()).toEqual(new Set(['spring', 'autumn']))
    const named = ['/in/filed', '/in/not of the inbox', '/in/unknown']
    expect(await ledger.inboxes.namedFiles(named)).toEqual(new Set(['/in/filed']))
  })
})
