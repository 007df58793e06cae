// Which run each verb is about, beside another one of the same kind; how runs are listed and named, and which are settled.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { addRun, hoursAgo } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aRecipient, aStagedRow, otherCourse } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

/** Names of the runs that a verb changes. */
async function changedBy({ database }: TestLedger, verb: () => Promise<unknown>): Promise<string[]> {
  const snapshot = async () =>
    new Map(
      (
        await database.query<{ name: string; values: string }>(
          'SELECT source_name AS name, r::text AS values FROM run r',
        )
      ).rows.map(({ name, values }) => [name, values]),
    )
  const before = await snapshot()
  await verb()
  const after = await snapshot()
  return [...after.keys()].filter((name) => before.get(name) !== after.get(name))
}

describeWithDatabase('a verb about a run', () => {
  test('records that it can be read again, and since when it could not', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const missed = { state: 'received', missed_at: hoursAgo(1) }
    await addRun(database, 'other', missed)
    const run = await addRun(database, 'own', missed)
    expect(await ledger.runs.noteUnreadable(run)).toBeGreaterThanOrEqual(3_600_000)
    expect(await changedBy(testLedger, () => ledger.runs.noteReadable(run))).toEqual(['own'])
    expect(await ledger.runs.noteUnreadable(run)).toBeLessThan(3_600_000)
  })

  test('keeps the other path of its results', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const run = await addRun(database, 'own')
    for (const paths of [{ results: '/a', invalid: '/b' }, { results: '/c' }, { invalid: '/d' }])
      await ledger.runs.notePaths(run, paths)
    expect(await ledger.runs.find(run)).toMatchObject({ resultsPath: '/c', invalidPath: '/d' })
  })

  test('refuses it only while it waits to be read, and removes its rows', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const runs: string[] = []
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      const { run } = await ledger.runs.receive({
        pipeline: 'spring',
        sourceName: name,
        sourcePath: name,
        sourceSha256: name,
      })
      await ledger.intake.stage(run.id, [aStagedRow(2, aRecipient(index), ledger.hasher)])
      runs.push(run.id)
    }
    await withoutTriggers(database, `UPDATE run SET state = 'published' WHERE source_name = 'b'`)
    for (const run of runs.slice(0, 2)) await ledger.runs.refuse(run, 'No.')
    const { rows } = await database.query<{ name: string }>(
      'SELECT source_name AS name FROM staged_row s JOIN run ON run.id = s.run_id ORDER BY 1',
    )
    expect(rows.map(({ name }) => name)).toEqual(['b', 'c'])
    expect((await ledger.runs.find(runs[1] as string))?.state).toBe('published')
  })
})

describeWithDatabase('runs', () => {
  test('are listed and named in the order in which they were received', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    await using unordered = await openUnordered(testLedger)
    const idOf = (n: number) => `aaaaaaaa-0000-4000-8000-00000000000${n}`
    for (const n of [3, 1, 2, 6, 5, 4]) await addRun(database, `${n}`, { id: idOf(n), received_at: hoursAgo(n) })
    await addRun(database, 'production', { id: idOf(9), received_at: hoursAgo(9), environment: 'production' })
    expect((await unordered.ledger.runs.list(3)).map(({ sourceName }) => sourceName)).toEqual(['1', '2', '3'])
    expect(await unordered.ledger.runs.named('aaaaaaaa')).toEqual([6, 5, 4, 3, 2].map(idOf))
    const everywhere = await openWholeLedger(database, 'any')
    expect(await everywhere.runs.named('aaaaaaaa')).toEqual([9, 6, 5, 4, 3].map(idOf))
    expect((await ledger.runs.find(idOf(3)))?.sourceName).toBe('3')
    expect(await ledger.runs.find('aaaaaaaa')).toBeNull()
  })

  test('say whether the items that the report shows were adopted', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    await addRun(database, 'other.csv')
    const shown = { state: 'braked', shown: true }
    const run = await addRun(database, 'held', shown)
    const note = (environment: string, course: string, state: string) =>
      database.query(
        `INSERT INTO course (environment, course_uuid, first_list) VALUES ($1, $2, $3)
         ON CONFLICT (environment, course_uuid) DO UPDATE SET first_list = excluded.first_list`,
        [environment, course, state],
      )
    await note('production', aCourse, 'adopted')
    await note('development', otherCourse, 'adopted')
    await note('development', aCourse, 'approved')
    const isAdopted = async () => (await ledger.runs.find(run))?.brake?.adopted
    expect(await isAdopted()).toBe(false)
    await note('development', aCourse, 'adopted')
    expect(await isAdopted()).toBe(true)
  })

  test('are settled in their order if they are published, and none of their rows is open', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    const { runs } = testLedger.ledger
    const late = await addRun(database, 'late', { received_at: hoursAgo(1) })
    const early = await addRun(database, 'early', { received_at: hoursAgo(2), adopts: 'Welding' })
    await addRun(database, 'of production', { environment: 'production' })
    await addRun(database, 'settled', { settled_at: hoursAgo(1) })
    await addRun(database, 'received', { state: 'received' })
    await addRun(database, 'adopting', { adopts: 'Welding', adopting: true })
    const open = await addRun(database, 'open')
    await withoutTriggers(
      database,
      `INSERT INTO run_count (run_id, state, rows, surplus) VALUES ($1, 'pending', 1, 0)`,
      [open],
    )
    await database.query(`INSERT INTO write_back (run_id, target, wanted, written) VALUES ($1, 'results-file', 4, 4)`, [
      late,
    ])
    await using unordered = await openUnordered(testLedger)
    expect(await unordered.ledger.runs.settle()).toEqual([early, late])
    const { rows } = await database.query('SELECT run_id AS run, wanted FROM write_back')
    expect(rows).toEqual([{ run: late, wanted: 5 }])
    expect(await runs.settle()).toEqual([])
  })
})
