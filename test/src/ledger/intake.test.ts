// A file becomes rows of the ledger, each person once, whatever else names them.

import { expect, test } from 'vitest'
import type { RowToCompare } from '#src/ledger/known-rows.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import {
  aBadRow,
  aCourse,
  aRecipient,
  aStagedRow,
  byPrimaryValue,
  otherCourse,
  recipients,
} from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

async function countsOf({ ledger }: TestLedger, runId: string) {
  const { rows, invalid, skipped, accepted } = (await ledger.runWithStates(runId))?.run ?? {}
  return { rows, invalid, skipped, accepted }
}

async function rowsOf({ ledger }: TestLedger, runId: string) {
  const all: { row: number; outcome: string; why: string | null }[] = []
  await ledger.readResultRows(runId, ['accepted', 'skipped', 'invalid'], async (rows) => {
    for (const { row, outcome, skipReason, violations } of rows)
      all.push({ row, outcome, why: skipReason ?? violations?.map((each) => each.rule).join() ?? null })
  })
  return all
}

describeWithDatabase('a file', () => {
  test('is counted: rows are the invalid, the skipped and the accepted', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish([...recipients(3), aRecipient(1)], { more: [aBadRow(6)] })
    expect(await countsOf(ledger, run)).toEqual({ rows: 5, invalid: 1, skipped: 1, accepted: 3 })
    expect(await rowsOf(ledger, run)).toEqual([
      { row: 2, outcome: 'accepted', why: null },
      { row: 3, outcome: 'accepted', why: null },
      { row: 4, outcome: 'accepted', why: null },
      { row: 5, outcome: 'skipped', why: 'the same person as row 2 of this file' },
      { row: 6, outcome: 'invalid', why: 'required' },
    ])
  })

  test('takes no rows from a reader that wakes when somebody else has published it', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish(recipients(2))
    const late = [aStagedRow(9, aRecipient(9), ledger.ledger.hasher)]
    await expect(ledger.ledger.stageRows(run, late)).rejects.toThrow('that is still to be read; nothing was staged')
    expect(await ledger.one('SELECT count(*) AS count FROM staged_row')).toEqual({ count: 0 })
    expect(await ledger.ledger.findRun(run)).toMatchObject({ readRows: 2, accepted: 2 })
  })

  test('without rows is published all the same', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish([])
    expect(await countsOf(ledger, run)).toEqual({ rows: 0, invalid: 0, skipped: 0, accepted: 0 })
  })

  test('handed over again before its run came to rest is the same run', async () => {
    await using ledger = await openTestLedger()
    const file = { pipeline: 'spring', sourceName: 'a.csv', sourcePath: '/a.csv', sourceSha256: 'same' }
    const { run } = await ledger.ledger.receiveRun(file)
    const again = await ledger.ledger.receiveRun({ ...file, sourceName: 'b.csv', sourcePath: '/b.csv' })
    expect(again).toMatchObject({ resumed: true, run: { id: run.id } })
    expect(await ledger.ledger.findRun(run.id)).toMatchObject({ sourcePath: '/b.csv', sourceName: 'b.csv' })
    const elsewhere = await ledger.ledger.receiveRun({ ...file, pipeline: 'autumn' })
    expect(elsewhere.resumed).toBe(false)
  })

  test('handed over again after its run came to rest is a new run of skipped rows', async () => {
    await using ledger = await openTestLedger()
    const first = await ledger.publish(recipients(3), { sha256: 'same' })
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    expect(await ledger.ledger.settleRuns()).toEqual([])
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    expect(await ledger.ledger.settleRuns()).toEqual([first])
    const second = await ledger.publish(recipients(3), { sha256: 'same' })
    expect(second).not.toBe(first)
    expect(await countsOf(ledger, second)).toEqual({ rows: 3, invalid: 0, skipped: 3, accepted: 0 })
    expect(await ledger.states()).toEqual(['failed', 'failed', 'failed'])
  })

  test('that was refused can be handed over again as a new run', async () => {
    await using ledger = await openTestLedger()
    const file = { pipeline: 'spring', sourceName: 'a.csv', sourcePath: '/a.csv', sourceSha256: 'same' }
    const { run } = await ledger.ledger.receiveRun(file)
    await ledger.ledger.stageRows(run.id, [aBadRow(2)])
    await ledger.ledger.refuseRun(run.id, 'The file is damaged.')
    expect(await ledger.ledger.findRun(run.id)).toMatchObject({ state: 'refused', refusal: 'The file is damaged.' })
    expect(await ledger.one('SELECT count(*) AS staged FROM staged_row')).toEqual({ staged: 0 })
    expect(await ledger.ledger.receiveRun(file)).toMatchObject({ resumed: false })
  })

  test('of another name with the same people is skipped row by row and says where they are known from', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2), { name: 'march.csv' })
    const run = await ledger.publish([aRecipient(2), aRecipient(3)], { name: 'april.csv' })
    expect(await countsOf(ledger, run)).toEqual({ rows: 2, invalid: 0, skipped: 1, accepted: 1 })
    const [skipped] = await rowsOf(ledger, run)
    expect(skipped?.why).toMatch(/^already known from march\.csv, row 3, received \d{4}-\d{2}-\d{2}$/)
    const [life] = await ledger.ledger.explain({ id: 2 })
    expect(life?.alsoIn).toMatchObject([{ source: 'april.csv', row: 2 }])
  })

  test('of another course, or of the other environment, starts anew', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    const run = await ledger.publish(recipients(1), { course: otherCourse })
    expect(await countsOf(ledger, run)).toMatchObject({ accepted: 1 })
    const rows = [1, 9].map((n) => aStagedRow(2, aRecipient(n), ledger.ledger.hasher) as RowToCompare)
    expect(await ledger.ledger.compareRows(aCourse, rows)).toEqual(['known', 'unknown'])
    const production = await openLedger(ledger.database, 'production')
    expect(await production.compareRows(aCourse, rows)).toEqual(['unknown', 'unknown'])
  })
})

describeWithDatabase('one person', () => {
  test('with two names is refused in every row, for nobody here can tell who is meant', async () => {
    await using ledger = await openTestLedger()
    const bob = aRecipient(1, { 'First Name': 'Bob' })
    const run = await ledger.publish([aRecipient(1), aRecipient(2), bob, aRecipient(1)])
    expect(await countsOf(ledger, run)).toEqual({ rows: 4, invalid: 3, skipped: 0, accepted: 1 })
    const rules = (await rowsOf(ledger, run)).map((row) => row.why)
    expect(rules).toEqual(['identity_conflict', null, 'identity_conflict', 'identity_conflict'])
    const { sentence } = await ledger.one<{ sentence: string }>(
      `SELECT violations->0->>'sentence' AS sentence FROM run_row WHERE row_number = 4`,
    )
    expect(sentence).toContain('The rows 2, 4, 5 name the same person')
    expect(sentence).not.toMatch(/Ada1|Bob|person\.1/)
  })

  test('with two names in seven rows names five of them, and counts the others', async () => {
    await using ledger = await openTestLedger()
    const rows = [...Array(6).fill(aRecipient(1)), aRecipient(1, { 'Last Name': 'King' })]
    await ledger.publish(rows)
    const { violation } = await ledger.one<{ violation: object }>(
      'SELECT violations->0 AS violation FROM run_row WHERE row_number = 8',
    )
    expect(violation).toEqual({
      ...{ row: 8, column: '', field: '', rule: 'identity_conflict', value: '' },
      sentence:
        'The rows 2, 3, 4, 5, 6 and 2 more name the same person by different names. Correct the names or the identity, and issue the rows again.',
    })
  })

  test('is a conflict, too, where one of the rows is refused for something else', async () => {
    await using ledger = await openTestLedger()
    const { identityHash } = aStagedRow(2, aRecipient(1), ledger.ledger.hasher)
    const names = { 'First Name': 'Otto', 'Last Name': 'Other' }
    const late = { ...aBadRow(9), identityHash, recipient: names }
    const run = await ledger.publish([aRecipient(1), aRecipient(2)], { more: [late] })
    expect(await countsOf(ledger, run)).toEqual({ rows: 3, invalid: 2, skipped: 0, accepted: 1 })
    const rules = (await rowsOf(ledger, run)).map((row) => row.why)
    expect(rules).toEqual(['identity_conflict', null, 'required,identity_conflict'])
  })

  test('is no conflict when only the case of the name differs', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish([aRecipient(1), aRecipient(1, { 'First Name': 'ADA1' })])
    expect(await countsOf(ledger, run)).toMatchObject({ invalid: 0, skipped: 1, accepted: 1 })
  })

  test('can have a second credential for a second occasion, and no third for the same', async () => {
    await using ledger = await openTestLedger()
    const rule = { ...byPrimaryValue, occurrence: ['End'] }
    const on = (End: string) => aRecipient(1, { End })
    const run = await ledger.publish([on('2026-03-01'), on('2026-09-01'), on('2026-03-01')], { rule })
    expect(await countsOf(ledger, run)).toEqual({ rows: 3, invalid: 0, skipped: 1, accepted: 2 })
    const later = await ledger.publish([on('2026-09-01'), on('2027-03-01')], { rule })
    expect(await countsOf(ledger, later)).toMatchObject({ skipped: 1, accepted: 1 })
  })
})
