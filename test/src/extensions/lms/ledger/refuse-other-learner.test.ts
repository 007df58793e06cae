// Completions of people whom the ledger knows as somebody else: as another learner, or by another name.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aRecipient, aStagedRow, type Recipient } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

interface Completion {
  /** Null for a row of a file. */
  learner: string | null
  recipient: Recipient
  system?: string
  row?: number
}

const ada = aRecipient(1)
const renamed = aRecipient(1, { 'Last Name': 'King' })
const reborn = aRecipient(1, { 'Birth Date': '1990-01-01' })

/** Stages a run of completions. */
async function stage(
  { database }: TestLedger,
  ledger: WholeLedger,
  completions: readonly Completion[],
): Promise<string> {
  const [name, sha256] = ['campus', randomUUID()]
  const { run } = await ledger.runs.receive({
    ...{ pipeline: 'spring', sourceName: name, sourcePath: `completions:${sha256}`, sourceSha256: sha256 },
  })
  for (const { learner, system = 'campus', row = 2 } of completions)
    if (learner !== null)
      await database.query(
        `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_by, cells, state, run_id, row_number)
         VALUES ($1, $2, 'spring', $3, 'FIRE-1', clock_timestamp(), 'poll', '{}', 'taken', $4, $5)`,
        [ledger.environment, system, learner, run.id, row],
      )
  await ledger.intake.stage(
    run.id,
    completions.map(({ recipient, row = 2 }) => aStagedRow(row, recipient, ledger.hasher)),
  )
  return run.id
}

/** @returns what becomes of each row: its outcome, or the message of its refusal */
async function publish(ledger: WholeLedger, run: string, rowCount: number): Promise<string[]> {
  await ledger.intake.publish(run, { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [] }, rowCount)
  const outcomes: string[] = []
  await ledger.writeBacks.readRows(run, ['accepted', 'skipped', 'invalid'], async (rows) => {
    outcomes.push(...rows.map(({ outcome, violations }) => violations?.[0]?.sentence ?? outcome))
  })
  return outcomes
}

async function publishOne(testLedger: TestLedger, completion: Completion, ledger = testLedger.ledger) {
  return (await publish(ledger, await stage(testLedger, ledger, [completion]), 1))[0]
}

/** What the history says of the credential i2. */
async function notesOf({ database }: TestLedger): Promise<unknown[]> {
  const { rows } = await database.query<{ evidence: unknown }>(
    `SELECT evidence FROM history WHERE issuance_id = 2 AND event = 'another learner has the same identity' ORDER BY id`,
  )
  return rows.map(({ evidence }) => evidence)
}

/** Somebody else is known as i1, and Ada as i2. */
async function openKnown(learner: string | null): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  await publishOne(testLedger, { learner: '9', recipient: aRecipient(9) })
  await publishOne(testLedger, { learner, recipient: ada })
  return testLedger
}

describeWithDatabase('a completion of a person whom the ledger knows', () => {
  const otherAccount = expect.stringMatching(/^This identity belongs to learner 3 of campus .*\(i2\).* learner 4,/)
  const otherName = expect.stringMatching(
    /^The credential i2, from campus, has this address or number, but a different/,
  )

  test.each<[what: string, known: string | null, completion: Completion, outcome: unknown]>([
    ['as another learner with other data', '3', { learner: '4', recipient: reborn }, otherAccount],
    ['as another learner with the same data', '3', { learner: '4', recipient: ada }, 'skipped'],
    ['as the same learner with another name', '3', { learner: '3', recipient: renamed }, 'skipped'],
    ['as a learner without a number', 'ada', { learner: '4', recipient: reborn }, 'skipped'],
    ['as another learner, and now has no number', '3', { learner: 'ada', recipient: reborn }, 'skipped'],
    ['from another system, with another name', '3', { learner: '4', system: 'seminar', recipient: renamed }, otherName],
    ['from another system, with the same name', '3', { learner: '4', system: 'seminar', recipient: reborn }, 'skipped'],
    ['from a file, with another name', null, { learner: '4', recipient: renamed }, otherName],
    ['from a file, with the same name', null, { learner: '4', recipient: reborn }, 'skipped'],
    ['as a learner, in a row of a file', '3', { learner: null, recipient: renamed }, 'skipped'],
  ])('%s', async (_, known, completion, outcome) => {
    await using testLedger = await openKnown(known)
    expect(await publishOne(testLedger, completion)).toEqual(outcome)
  })

  test.each(['3', null])('in another environment only is new (as learner %s)', async (known) => {
    await using testLedger = await openKnown(known)
    const production = await openWholeLedger(testLedger.database, 'production')
    expect(await publishOne(testLedger, { learner: '4', recipient: renamed }, production)).toBe('accepted')
  })

  test.each<[what: string, known: string | null, notes: object[]]>([
    ['learner', '3', ['4', '5'].map((other) => ({ system: 'campus', learner: '3', other }))],
    ['name', null, ['4', '5'].map((other) => ({ system: 'campus', other }))],
  ])('as another %s is noted in the history of the credential, once for each learner', async (_, known, notes) => {
    await using testLedger = await openKnown(known)
    // The same was noted of another credential.
    await testLedger.database.query(
      `INSERT INTO history (issuance_id, event, evidence) VALUES (1, 'another learner has the same identity', $1)`,
      [notes[0]],
    )
    for (const learner of ['4', '4', '5']) await publishOne(testLedger, { learner, recipient: renamed })
    expect(await notesOf(testLedger)).toEqual(notes)
  })

  test('is that of the learner whose completion was accepted, or of the first one', async () => {
    await using testLedger = await openKnown('3')
    const { database } = testLedger
    await publishOne(testLedger, { learner: '5', recipient: ada })
    await publishOne(testLedger, { learner: '6', recipient: ada })
    const moveToEnd = (learner: string) =>
      withoutTriggers(
        database,
        `WITH c AS (UPDATE completion SET cells = cells WHERE learner = '${learner}' RETURNING run_id)
         UPDATE run_row r SET cells = r.cells FROM c WHERE r.run_id = c.run_id`,
      )
    for (const learner of ['5', '3']) await moveToEnd(learner)
    await using unordered = await openUnordered(testLedger)
    const reported = () => publishOne(testLedger, { learner: '4', recipient: reborn }, unordered.ledger)
    expect(await reported()).toMatch(/^This identity belongs to learner 3 /)
    await withoutTriggers(database, `UPDATE run_row SET outcome = 'skipped' WHERE issuance_id = 2`)
    await withoutTriggers(database, `DELETE FROM completion WHERE learner = '3'`)
    expect(await reported()).toMatch(/^This identity belongs to learner 5 /)
  })

  test.each(['3', null])('leaves the rows of other runs alone (as learner %s)', async (known) => {
    await using testLedger = await openKnown(known)
    const { ledger, database } = testLedger
    const waiting = await stage(testLedger, ledger, [
      { learner: '5', recipient: aRecipient(5) },
      { learner: '4', recipient: renamed, row: 3 },
    ])
    const staged = async () =>
      (await database.query('SELECT s::text FROM staged_row s WHERE run_id = $1 ORDER BY row_number', [waiting])).rows
    const before = await staged()
    const refused = known === null ? otherName : otherAccount
    const published = await stage(testLedger, ledger, [
      { learner: '4', recipient: renamed },
      { learner: '6', recipient: aRecipient(6), row: 3 },
    ])
    expect(await publish(ledger, published, 2)).toEqual([refused, 'accepted'])
    expect(await staged()).toEqual(before)
    expect(await publish(ledger, waiting, 2)).toEqual(['accepted', refused])
  })
})
