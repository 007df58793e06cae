// Which staged rows are refused because the ledger knows their person otherwise: rows of every kind about one person,
// beside those of another list.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { completionsPath } from '#src/ledger/runs/completions-path.ts'
import { knownPeople } from '#src/ledger/runs/known-people.ts'
import { knownByOtherIdentity, refuseOtherIdentity } from '#src/ledger/runs/refuse-other-identity.ts'
import { refuseOtherPrimaryValue } from '#src/ledger/runs/refuse-other-primary-value.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aCourse, aRecipient, aStagedRow, otherCourse, type Recipient } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, publish, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const scope = { environment: 'development', course: aCourse }
const nameFields = ['First Name', 'Last Name']
const ada = aRecipient(1)
const bea = aRecipient(2)
/** Identified by another field. */
const byNumber = { ...ada, 'Contact Number': '030 7770', 'Primary Value': 'Contact Number' }
/** Of a row, none of which is known unless the test says so. */
const keyOf = (row: number) => Buffer.alloc(32, row % 251)
const lastRow = 10_002

const rows: [row: number, what: string, isRefused: boolean][] = [
  [2, 'plain', true],
  [3, 'a completion that renews an earlier one', false],
  [4, 'a completion', true],
  [5, 'known in another environment', true],
  [6, 'known for another course', true],
  [7, 'known', false],
  [8, 'refused', false],
  [9, 'of somebody else', false],
  [10, 'of a namesake at the address of somebody else', false],
  [11, 'of a namesake', false],
  // The rows are read ten thousand at a time.
  [lastRow, 'far below', true],
]
const refusedRows = rows.flatMap(([row, , isRefused]) => (isRefused ? [row] : []))

const setKey = ({ database }: TestLedger, issuance: number, row: number) =>
  withoutTriggers(database, 'UPDATE issuance SET issuance_key = $2 WHERE id = $1', [issuance, keyOf(row)])

/** Ada is known as issuance 2, and once more as issuance 3. @returns the run with rows about her, and another run */
async function openStaged() {
  const testLedger = await openTestLedger()
  const { ledger, database } = testLedger
  await testLedger.publish([bea, ada], { name: 'first.csv' })
  await testLedger.publish([ada], { name: 'again.csv', course: otherCourse })
  await withoutTriggers(database, 'UPDATE issuance SET course_uuid = $1 WHERE id = 3', [aCourse])
  // The first of them is stored after the other one.
  await withoutTriggers(database, 'UPDATE issuance SET pipeline = pipeline WHERE id = 2')
  await withoutTriggers(database, `UPDATE run SET notices = notices WHERE source_name = 'first.csv'`)
  await publish(await openWholeLedger(database, 'production'), [bea])
  await setKey(testLedger, 4, 5)
  await testLedger.publish([bea], { course: otherCourse })
  await setKey(testLedger, 5, 6)
  await testLedger.publish([aRecipient(7)])
  await setKey(testLedger, 6, 7)
  const receive = async (name: string, sourcePath: string) =>
    (await ledger.runs.receive({ pipeline: 'spring', sourceName: name, sourcePath, sourceSha256: name })).run.id
  const [run, other] = [await receive('a', completionsPath('campus')), await receive('b', 'b')]
  const namesake = { ...byNumber, Email: 'bea@example.org', 'Contact Number': '040 1' }
  const hashesOf = (person: Recipient) => aStagedRow(2, person, ledger.hasher).matchHashes
  const staged = rows.map(([row, what]) => ({
    ...aStagedRow(
      row,
      what === 'of somebody else' ? aRecipient(9) : what.startsWith('of a namesake') ? namesake : byNumber,
      ledger.hasher,
    ),
    issuanceKey: keyOf(row),
    matchHashes: hashesOf(what.endsWith('somebody else') ? bea : what === 'of a namesake' ? namesake : ada),
    renews: what.includes('renews'),
    ...(what === 'refused' && { violations: aBadRow(row).violations }),
  }))
  await ledger.intake.stage(run, staged)
  await ledger.intake.stage(
    other,
    staged.map((each) => ({
      ...each,
      ...aStagedRow(each.row, byNumber, ledger.hasher),
      issuanceKey: keyOf(each.row + 100),
    })),
  )
  return { testLedger, run, other }
}

const verbs: [what: string, verb: (sql: Sql, run: string) => Promise<void>][] = [
  [
    'by other fields',
    (sql, run) => refuseOtherIdentity(sql, run, { ...scope, rule: { identity: [], occurrence: [], nameFields } }),
  ],
  [
    'by another Primary Value',
    (sql, run) => refuseOtherPrimaryValue(sql, run, { ...scope, rule: { nameFields, occurrence: [] } }),
  ],
]

describeWithDatabase('rows of a person who is known', () => {
  test.each(verbs)('%s are refused, with the row that is known', async (_, verb) => {
    const { testLedger, run, other } = await openStaged()
    await using __ = testLedger
    await using unordered = await openUnordered(testLedger)
    const stagedOf = async (id: string) =>
      (
        await testLedger.database.query<{ row: number; sentence: string | null; cells: unknown; key: Buffer }>(
          `SELECT row_number AS row, violations->0->>'sentence' AS sentence, recipient, issuance_key AS key FROM staged_row
           WHERE run_id = $1 ORDER BY row_number`,
          [id],
        )
      ).rows
    const [before, beside] = [await stagedOf(run), await stagedOf(other)]
    await unordered.database.transaction((sql) => verb(sql, run))
    const after = await stagedOf(run)
    const isSame = (row: number) =>
      JSON.stringify(after.find((each) => each.row === row)) === JSON.stringify(before.find((each) => each.row === row))
    expect(rows.flatMap(([row]) => (isSame(row) ? [] : [row]))).toEqual(refusedRows)
    expect(await stagedOf(other)).toEqual(beside)
    const [first] = after
    expect(first).toMatchObject({ key: null, recipient: { 'First Name': 'Ada1', 'Last Name': 'Lovelace' } })
    expect(first?.sentence).toMatch(/^The row names the same person as row 3 of first\.csv \(run \w{8}\), but /)
    const advice = after.map(({ sentence }) => sentence?.includes('emove the row'))
    // A list that contains completions gets the advice for completions.
    expect(advice).toEqual(rows.map(([, what, isRefused]) => (isRefused || what === 'refused' ? false : undefined)))
  })

  test('by another Primary Value are found in a long list and among many people', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const run = await testLedger.publish([bea])
    const { id } = (
      await ledger.runs.receive({ pipeline: 'spring', sourceName: 'a', sourcePath: 'a', sourceSha256: 'a' })
    ).run
    const person = `jsonb_build_object('Email', prefix || n || '@example.org', 'First Name', 'Ada', 'Last Name', 'No ' || n, 'Primary Value', primary_value)`
    // The first ones are stored last.
    await withoutTriggers(
      database,
      `INSERT INTO issuance (id, environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient) OVERRIDING SYSTEM VALUE
       SELECT n, 'development', $2, sha256(n::text::bytea), '', $1, n, 'spring', ${person} FROM generate_series(20002, 10000, -1) n, (SELECT 'Email', '') p(primary_value, prefix)`,
      [run, aCourse],
    )
    await database.query(
      `INSERT INTO staged_row (run_id, row_number, cells, recipient, issuance_key, identity_hash)
       SELECT $1, n, '[]', ${person}, sha256(('row ' || n)::bytea), '' FROM generate_series(20005, 10000, -1) n, 
         LATERAL (SELECT 'Contact Number', CASE WHEN n IN (10001, 20002) THEN '' ELSE 'other.' END) p(primary_value, prefix)`,
      [id],
    )
    await database.query('ANALYZE issuance, staged_row')
    await database.transaction((sql) =>
      refuseOtherPrimaryValue(sql, id, { ...scope, rule: { nameFields, occurrence: [] } }),
    )
    const { rows: refused } = await database.query(
      'SELECT row_number AS row FROM staged_row WHERE violations IS NOT NULL ORDER BY 1',
    )
    expect(refused).toEqual([{ row: 10_001 }, { row: 20_002 }])
  })
})

describeWithDatabase('the known people of a course', () => {
  test.each<[what: string, isKnown: boolean, change: string]>([
    ['as they were', true, ''],
    ['without data, which were deleted', false, 'UPDATE issuance SET recipient = NULL WHERE id = 2'],
    ['with a credential that was corrected', false, 'UPDATE issuance SET corrects = 2 WHERE id = 1'],
    ['in another environment', false, `UPDATE issuance SET environment = 'production' WHERE id = 2`],
    ['for another course', false, `UPDATE issuance SET course_uuid = '${otherCourse}' WHERE id = 2`],
  ])('are read %s: %s', async (_, isKnown, change) => {
    await using testLedger = await openTestLedger()
    await testLedger.publish([bea, ada])
    if (change) await withoutTriggers(testLedger.database, change)
    const people = await knownPeople(testLedger.database, 'development', aCourse, { nameFields, occurrence: [] })
    expect(people.find(byNumber)).toBe(isKnown ? 2 : null)
  })

  test('are found in a dry run by their own address', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await testLedger.publish([bea, ada])
    const row = (matching: Recipient) => ({
      recipient: byNumber,
      matchHashes: aStagedRow(2, matching, ledger.hasher).matchHashes ?? [],
    })
    const rule = { identity: [], occurrence: [], nameFields }
    expect(await knownByOtherIdentity(database, { ...scope, rule }, [row(bea), row(ada)])).toEqual([false, true])
    expect(await knownByOtherIdentity(database, { ...scope, rule }, [row(bea)])).toEqual([false])
  })
})
