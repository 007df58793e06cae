// The list with which a new one is compared to find out who is missing: the one before it, beside others that are none.

import { expect, test } from 'vitest'
import { completionsPath } from '#src/ledger/runs/completions-path.ts'
import { addRun, hoursAgo } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aCourse, aRecipient, aStagedRow, otherCourse } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const people = (...numbers: number[]) => numbers.map((n) => aRecipient(n))

describeWithDatabase('the people who are missing from a list', () => {
  test('are those of the last list of its kind who are on it neither themselves nor with a corrected credential', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const older = await testLedger.publish(people(1, 2, 3), { name: 'older.csv', more: [aBadRow(9)] })
    await testLedger.publish(people(4, 5, 6), { pipeline: 'autumn' })
    await addRun(database, 'oldest.csv', { received_at: hoursAgo(10) })
    // Person 2 was corrected twice, and the last of these credentials is on the new list; that of person 3 is not.
    for (const [id, corrects] of [
      [4, 2],
      [5, 4],
      [6, 3],
    ])
      await withoutTriggers(database, 'UPDATE issuance SET corrects = $2 WHERE id = $1', [id, corrects])
    await withoutTriggers(database, `UPDATE run SET received_at = $2 WHERE id = $1`, [older, hoursAgo(9)])
    const source = { pipeline: 'spring', sourceName: 'now.csv', sourcePath: '/now.csv', sourceSha256: 'now' }
    const { run } = await ledger.runs.receive(source)
    const between = { received_at: hoursAgo(1) }
    await addRun(database, 'of completions', { ...between, source_path: completionsPath('campus') })
    await addRun(database, 'b.invalid.xlsx', between)
    await addRun(database, 'of production', { ...between, environment: 'production' })
    await addRun(database, 'of autumn', { ...between, pipeline: 'autumn' })
    await addRun(database, 'of the inbox', { ...between, inbox: true })
    await addRun(database, 'of another course', { ...between, course_uuid: otherCourse })
    await addRun(database, 'refused', { ...between, state: 'refused' })
    await addRun(database, 'adopted', { ...between, adopts: 'Welding' })
    await addRun(database, 'corrected', { ...between, corrects: 1 })
    await addRun(database, 'at the same time', { received_at: hoursAgo(0) })
    for (const hours of [-1, -2]) await addRun(database, `later ${hours}`, { received_at: hoursAgo(hours) })
    await withoutTriggers(
      database,
      `UPDATE run SET received_at = (SELECT received_at FROM run WHERE id = $1) WHERE source_name = 'at the same time'`,
      [run.id],
    )
    await using unordered = await openUnordered(testLedger)
    const { intake } = unordered.ledger
    await intake.stage(
      run.id,
      people(1, 5).map((person, index) => aStagedRow(index + 2, person, ledger.hasher)),
    )
    await intake.publish(run.id, { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [] }, 2)
    const { rows } = await database.query('SELECT id, last_list AS last, gone FROM run WHERE last_list IS NOT NULL')
    expect(rows).toEqual([{ id: run.id, last: older, gone: 1 }])
  })
})
