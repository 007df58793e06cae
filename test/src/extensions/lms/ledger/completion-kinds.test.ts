// Completions that wait, are refused or are tried again: some of each, in two pipelines, two systems and two environments.

import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aCourse, aRecipient, aStagedRow } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const at = (day: number) => new Date(Date.UTC(2026, 2, day))

interface Source {
  pipeline?: string
  system?: string
  learner?: string
  day?: number
  cells?: Record<string, string>
}

const ingest = (
  ledger: WholeLedger,
  { pipeline = 'spring', system = 'campus', learner = '3', day = 1, cells = {} }: Source = {},
) =>
  ledger.completions.ingest(
    { system, pipeline, renewAfterMs: null },
    [{ learner, course: 'F', completedAt: at(day), cells }],
    'poll',
  )

/** Puts the ready completions of a pipeline into a run, all of whose rows are invalid. @returns the run */
async function refuseRows({ completions, intake }: WholeLedger, pipeline = 'spring', rules = 'old'): Promise<string> {
  const run = (await completions.createRun(pipeline)) ?? ''
  const rows: number[] = []
  for await (const batch of completions.rowsOf(run)) rows.push(...batch.map(({ row }) => row))
  await intake.stage(run, rows.map(aBadRow))
  await intake.publish(
    run,
    { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [], rulesHash: rules },
    rows.length,
  )
  return run
}

/** Completions that are ready for the next run, as `system/learner`. */
async function ready({ database }: TestLedger, environment = 'development', pipeline = 'spring'): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT system || '/' || learner AS name FROM completion WHERE state = 'ready' AND environment = $1 AND pipeline = $2 ORDER BY 1`,
    [environment, pipeline],
  )
  return rows.map(({ name }) => name)
}

describeWithDatabase('completions', () => {
  test('are known by system, pipeline and environment, with the latest of each learner', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const production = await openWholeLedger(database, 'production')
    for (const source of [{}, { system: 'other', learner: '4' }, { pipeline: 'autumn', learner: '5' }])
      await ingest(ledger, source)
    await ingest(production, { learner: '6', day: 9 })
    expect([...(await ledger.completions.known('campus', 'spring')).keys()]).toEqual(['3'])
  })

  test('count once for each learner of a system, however often they are reported', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    expect(await ingest(ledger)).toMatchObject({ fresh: 1 })
    expect(await ingest(ledger)).toMatchObject({ fresh: 0, same: 1 })
    expect(await ingest(ledger, { day: 2 })).toMatchObject({ fresh: 0, same: 1 })
    // The later report is stored as well, and may come again.
    expect(await ingest(ledger, { day: 2 })).toMatchObject({ fresh: 0, same: 1 })
    for (const other of [{ system: 'other' }, { pipeline: 'autumn' }, { learner: '4' }])
      expect(await ingest(ledger, other)).toMatchObject({ fresh: 1, same: 0 })
    expect(await ready(testLedger)).toEqual(['campus/3', 'campus/4', 'other/3'])
  })

  test.each<[what: string, change: string, waiting: string[]]>([
    ['because of the daily limit', '', ['autumn']],
    ['for another reason', 'beyond_day = false', ['autumn', 'spring']],
    ['and is approved', `state = 'received'`, ['autumn', 'spring']],
    ['in another pipeline', `pipeline = 'winter'`, ['autumn', 'spring']],
    ['in another environment', `environment = 'production'`, ['autumn', 'spring']],
    ['and is a file', `source_path = '/inbox/a.csv'`, ['autumn', 'spring']],
  ])('wait while a run of completions is held %s', async (_, change, waiting) => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await ingest(ledger)
    const run = await ledger.completions.createRun('spring')
    const held = `state = 'braked', beyond_day = true, braked_at = now(), would_accept = 1, braked_because = 'Many.'`
    await database.query(`UPDATE run SET ${held} WHERE id = $1`, [run])
    if (change) await database.query(`UPDATE run SET ${change} WHERE id = $1`, [run])
    await ingest(ledger, { learner: '4' })
    await ingest(ledger, { pipeline: 'autumn' })
    await ingest(await openWholeLedger(database, 'production'), { pipeline: 'winter' })
    expect((await ledger.completions.waiting()).sort()).toEqual(waiting)
  })
})

describeWithDatabase('completions whose rows were refused', () => {
  /** Two in `spring`, one of them of another system; one in `autumn`; one in another environment. */
  async function openRefused() {
    const testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const production = await openWholeLedger(database, 'production')
    // A run holds completions of one system.
    for (const source of [{}, { system: 'other', learner: '4' }]) {
      await ingest(ledger, source)
      await refuseRows(ledger)
    }
    await ingest(ledger, { pipeline: 'autumn', learner: '5' })
    await refuseRows(ledger, 'autumn')
    await ingest(production, { learner: '6' })
    await refuseRows(production)
    return { testLedger, production }
  }

  test('are tried again under other rules, in their pipeline', async () => {
    const { testLedger } = await openRefused()
    await using _ = testLedger
    const { completions } = testLedger.ledger
    await completions.tryAgain('spring', 'old')
    expect(await ready(testLedger)).toEqual([])
    await completions.tryAgain('spring', 'new')
    expect(await ready(testLedger)).toEqual(['campus/3', 'other/4'])
    expect(await ready(testLedger, 'development', 'autumn')).toEqual([])
    expect(await ready(testLedger, 'production')).toEqual([])
  })

  test('are compared with the rules once an hour, by pipeline', async () => {
    const { testLedger, production } = await openRefused()
    await using _ = testLedger
    const { completions } = testLedger.ledger
    expect(await completions.takeToCompare()).toEqual([])
    await completions.compareNow()
    expect(await production.completions.takeToCompare()).toEqual([])
    expect(await completions.takeToCompare()).toEqual(['autumn', 'spring'])
    expect(await completions.takeToCompare()).toEqual([])
    await testLedger.database.query(
      `UPDATE completion SET compared_at = compared_at - interval '61 min' WHERE pipeline = 'spring'`,
    )
    expect(await completions.takeToCompare()).toEqual(['spring'])
  })

  test('are listed by the rule that they break, with the latest run', async () => {
    const { testLedger } = await openRefused()
    await using _ = testLedger
    const common = { rule: 'required', field: 'Email', completions: 1, run: expect.any(String) }
    expect(await testLedger.ledger.completions.invalid()).toEqual([
      { ...common, pipeline: 'autumn', system: 'campus', learners: ['5'] },
      { ...common, pipeline: 'spring', system: 'campus', learners: ['3'] },
      { ...common, pipeline: 'spring', system: 'other', learners: ['4'] },
    ])
  })

  test('are tried again when their learner’s data change, and no other', async () => {
    const { testLedger } = await openRefused()
    await using _ = testLedger
    const { ledger } = testLedger
    expect(await ingest(ledger)).toMatchObject({ again: 0, same: 1 })
    expect(await ingest(ledger, { cells: { email: 'a' } })).toMatchObject({ again: 1 })
    expect(await ready(testLedger)).toEqual(['campus/3'])
  })

  test('are not tried again if the row was accepted, although an earlier version left their rules', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await ingest(ledger)
    const run = (await ledger.completions.createRun('spring')) ?? ''
    await ledger.intake.stage(run, [aStagedRow(2, aRecipient(3), ledger.hasher)])
    await ledger.intake.publish(run, { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [] }, 1)
    await database.query(`UPDATE completion SET refused_by = 'old'`)
    await ledger.completions.tryAgain('spring', 'new')
    expect(await ready(testLedger)).toEqual([])
    expect(await ingest(ledger, { cells: { email: 'a' } })).toMatchObject({ again: 0, same: 1 })
  })

  test('whose whole run was refused wait until it is tried again, unless an operator rejected it', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const production = await openWholeLedger(database, 'production')
    for (const [each, pipeline] of [
      [ledger, 'spring'],
      [ledger, 'autumn'],
      [ledger, 'winter'],
      [production, 'spring'],
    ] as const) {
      await ingest(each, { pipeline })
      await each.runs.refuse((await each.completions.createRun(pipeline)) ?? '', 'The course is wrong.')
    }
    await database.query(`UPDATE run SET rejected_at = now() WHERE pipeline = 'winter'`)
    await ingest(ledger, { pipeline: 'winter', learner: '7' })
    const counts = { system: 'campus', ready: 0, refused: 1 }
    expect(await ledger.completions.counts()).toEqual([
      { pipeline: 'autumn', ...counts },
      { pipeline: 'spring', ...counts },
      { pipeline: 'winter', ...counts, ready: 1, refused: 0 },
    ])
    expect(await ledger.completions.waitAgain('spring')).toBe(1)
    expect(await ledger.completions.waitAgain()).toBe(1)
    expect(await ready(testLedger, 'production')).toEqual([])
    expect(await ready(testLedger, 'development', 'winter')).toEqual(['campus/7'])
  })
})
