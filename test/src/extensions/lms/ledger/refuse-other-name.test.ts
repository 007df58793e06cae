// Which completions are refused because of the name in a known credential: rows of every kind in one run, beside those of
// another run.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { refuseOtherName } from '#src/extensions/lms/ledger/rows-of-completions.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aCourse, aRecipient, aStagedRow, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const known = { environment: 'development', course: aCourse, nameFields: ['First Name', 'Last Name'] }
const renamed = (person: number) => aRecipient(person, { 'Last Name': 'King' })

const rows: [row: number, person: number, what: string, isRefused: boolean][] = [
  [2, 1, 'a completion', true],
  [3, 2, 'a completion of another known person', true],
  [4, 11, 'known for another course', false],
  [5, 12, 'known in another environment', false],
  [6, 3, 'no completion', false],
  [7, 4, 'of the learner who has the credential', false],
  [8, 5, 'refused', false],
]

describeWithDatabase('completions of people with another name', () => {
  test('are refused if the ledger has their credential from elsewhere, and each is noted once', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const first = await testLedger.publish(recipients(5), { name: 'first.csv' })
    await testLedger.publish([aRecipient(11)], { course: otherCourse, name: 'other.csv' })
    await publish(await openWholeLedger(database, 'production'), [aRecipient(12)])
    // The keys of two courses differ in fact.
    const { issuanceKey } = aStagedRow(2, aRecipient(11), ledger.hasher)
    await withoutTriggers(database, `UPDATE issuance SET issuance_key = $1 WHERE course_uuid = $2`, [
      issuanceKey,
      otherCourse,
    ])
    const complete = (run: string, row: number, learner: string) =>
      withoutTriggers(
        database,
        `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_by, cells, state, run_id, row_number)
         VALUES ('development', 'campus', 'spring', $3, $1::text || $2::int, now(), 'poll', '{}', 'taken', $1::text::uuid, $2)`,
        [run, row, learner],
      )
    await complete(first, 5, '70')
    const stage = async (name: string) => {
      const { run } = await ledger.runs.receive({
        pipeline: 'spring',
        sourceName: name,
        sourcePath: name,
        sourceSha256: name,
      })
      const staged = rows.map(([row, person, what]) => ({
        ...aStagedRow(row, renamed(person), ledger.hasher),
        ...(what === 'refused' && { violations: aBadRow(row).violations }),
      }))
      await ledger.intake.stage(run.id, staged.toReversed())
      return run.id
    }
    const [run, other] = [await stage('a'), await stage('b')]
    for (const [row, , what] of rows) if (what !== 'no completion') await complete(run, row, `${row}0`)
    await complete(other, 6, '99')
    // The same was noted of another credential, and something else of this one.
    const noted = (row: number) => ({ system: 'campus', other: `${row}0` })
    for (const [id, row] of [
      [5, 2],
      [1, 3],
    ] as const)
      await database.query(
        `INSERT INTO history (issuance_id, event, evidence) VALUES ($1, 'another learner has the same identity', $2)`,
        [id, noted(row)],
      )
    const sentences = async (id: string) =>
      (
        await database.query<{ row: number; sentence: string | null }>(
          `SELECT row_number AS row, violations->0->>'sentence' AS sentence FROM staged_row WHERE run_id = $1 ORDER BY 1`,
          [id],
        )
      ).rows
    const [before, beside] = [await sentences(run), await sentences(other)]
    await using unordered = await openUnordered(testLedger)
    await unordered.database.transaction((sql) => refuseOtherName(sql, run, known))
    const after = await sentences(run)
    const changed = after.filter((each, index) => each.sentence !== before[index]?.sentence)
    expect(changed.map(({ row }) => row)).toEqual(rows.flatMap(([row, , , isRefused]) => (isRefused ? [row] : [])))
    expect(await sentences(other)).toEqual(beside)
    expect(changed.map(({ sentence }) => sentence?.split(',').slice(0, 2).join())).toEqual([
      'The credential i1, from first.csv',
      'The credential i2, from first.csv',
    ])
    await unordered.database.transaction((sql) => refuseOtherName(sql, other, known))
    const { rows: notes } = await database.query(
      `SELECT issuance_id AS issuance, evidence FROM history WHERE event = 'another learner has the same identity' ORDER BY id OFFSET 2`,
    )
    // Row 6 of the other run is the completion of a known person as well.
    expect(notes).toEqual([
      { issuance: 1, evidence: noted(2) },
      { issuance: 2, evidence: noted(3) },
      { issuance: 3, evidence: { system: 'campus', other: '99' } },
    ])
  })
})
