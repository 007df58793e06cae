// A list that is published while another one waits, with rows of the same numbers and about the same people.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aRecipient, aStagedRow, otherCourse, type Recipient } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

async function stage({ ledger }: TestLedger, name: string, people: readonly Recipient[]): Promise<string> {
  const source = { pipeline: 'spring', sourceName: name, sourcePath: `/${name}`, sourceSha256: name }
  const { run } = await ledger.runs.receive(source)
  // The rows of a long file may be staged in any order.
  const rows = people.map((person, index) => aStagedRow(index + 2, person, ledger.hasher)).toReversed()
  await ledger.intake.stage(run.id, rows)
  return run.id
}

/** @returns what becomes of each row: its outcome, and the reason */
async function publish({ ledger }: TestLedger, run: string, rowCount: number): Promise<string[]> {
  await ledger.intake.publish(run, { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [] }, rowCount)
  const outcomes: string[] = []
  await ledger.writeBacks.readRows(run, ['accepted', 'skipped', 'invalid'], async (rows) => {
    for (const { outcome, skipReason, violations } of rows)
      outcomes.push([outcome, skipReason ?? violations?.[0]?.sentence ?? ''].join(' ').trim())
  })
  return outcomes
}

const stagedOf = async ({ database }: TestLedger, run: string) =>
  (await database.query('SELECT s::text FROM staged_row s WHERE run_id = $1 ORDER BY row_number', [run])).rows

const person = (n: number, name = 'Lovelace') => aRecipient(n, { 'Last Name': name })

describeWithDatabase('a list', () => {
  test('is not refused because of names in a list that waits, nor is that list', async () => {
    await using testLedger = await openTestLedger()
    const waiting = await stage(testLedger, 'b.csv', [person(1, 'King'), person(2, 'King'), person(1, 'King')])
    const published = await stage(testLedger, 'a.csv', [person(1), person(1), person(2), person(2, 'Byron')])
    const before = await stagedOf(testLedger, waiting)
    const conflict = expect.stringMatching(/^invalid Rows 4, 5 give the same person different names\./)
    expect(await publish(testLedger, published, 4)).toEqual([
      ...['accepted', 'skipped the same person as row 2 of this file', conflict, conflict],
    ])
    expect(await stagedOf(testLedger, waiting)).toEqual(before)
  })

  test('has the image of the first row that names a person, if it failed before', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await testLedger.publish([person(1), person(2)])
    // The keys of two courses differ in fact.
    await testLedger.publish([person(1)], { course: otherCourse })
    await withoutTriggers(
      database,
      'UPDATE issuance SET issuance_key = (SELECT issuance_key FROM issuance WHERE id = 1) WHERE id = 3',
    )
    const images = ['00', '01', '02'].map((digit) => digit.repeat(32))
    for (const hash of images)
      await database.query(`INSERT INTO image (sha256, bytes, type) VALUES (decode($1, 'hex'), '', 'png')`, [hash])
    for (const state of ['sending', 'failed']) await database.query('UPDATE issuance SET state = $1', [state])
    const run = await stage(testLedger, 'a.csv', [person(1), person(2, 'King'), person(1)])
    await database.query(
      `UPDATE staged_row SET image_sha256 = decode(repeat('0' || row_number - 2, 32), 'hex') WHERE run_id = $1`,
      [run],
    )
    await publish(testLedger, run, 3)
    const { rows } = await database.query(`SELECT encode(image_sha256, 'hex') AS image FROM issuance ORDER BY id`)
    // The second row has another name, which makes it a correction.
    expect(rows).toEqual([{ image: images[0] }, { image: null }, { image: null }])
  })
})
