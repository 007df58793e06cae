// When a completion is a new occasion, when its time changes, and which completions go into a run, in which order.

import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aCourse } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const dayMs = 86_400_000
const at = (day: number) => new Date(Date.UTC(2026, 0, day))

interface Report {
  day: number
  learner?: string
  pipeline?: string
  system?: string
  renewAfterDays?: number
  cells?: Record<string, string>
  /** Id of the event that reported it, which was processed before. */
  eventId?: number
}

async function ingest({ completions }: WholeLedger, { day, eventId, ...more }: Report): Promise<string> {
  const { learner = '3', pipeline = 'spring', system = 'campus', renewAfterDays = 30, cells = {} } = more
  const counts = await completions.ingest(
    { system, pipeline, renewAfterMs: renewAfterDays * dayMs },
    [{ learner, course: 'F', completedAt: at(day), cells, ...(eventId ? { eventId, again: true } : {}) }],
    'event',
  )
  return Object.entries(counts).find(([, count]) => count === 1)?.[0] ?? ''
}

/** The completion of an event, whose row was refused. */
async function openRefused(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  const { ledger } = testLedger
  await ledger.inboundEvents.keep([{ system: 'campus', key: '0a', headers: {}, body: Buffer.from('{}') }])
  await ingest(ledger, { day: 1, eventId: 1 })
  const run = (await ledger.completions.createRun('spring')) ?? ''
  await ledger.intake.stage(run, [aBadRow(2)])
  const publication = { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [], rulesHash: 'old' }
  await ledger.intake.publish(run, publication, 1)
  return testLedger
}

const timeOf = async ({ queryOne }: TestLedger, id: number) =>
  (await queryOne<{ at: Date }>('SELECT completed_at AS at FROM completion WHERE id = $1', [id])).at

describeWithDatabase('a completion that is reported with another time', () => {
  test('is a new occasion if no other is near, where repeated reports do not count', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    expect(await ingest(ledger, { day: 1 })).toBe('fresh')
    expect(await ingest(ledger, { day: 20 })).toBe('same')
    expect(await ingest(ledger, { day: 40 })).toBe('fresh')
  })

  test('renews nothing if a newer one is known, is stored once, and is shown with its learner', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, queryOne } = testLedger
    const of = { cells: { email: 'ada@example.org' } }
    for (const day of [1_000, 900, 100, 100]) await ingest(ledger, { day, ...of })
    expect(await ingest(ledger, { day: 500, ...of })).toBe('older')
    expect(await ingest(ledger, { day: 501, ...of })).toBe('older')
    expect(await queryOne(`SELECT count(*) AS n FROM completion WHERE state = 'ready'`)).toEqual({ n: 1 })
    const shown = (await ledger.elsewhere.ofPerson('ada@example.org')).waiting
    expect(shown.map(({ completedAt, reason }) => [completedAt, reason?.includes('renews nothing') ?? false])).toEqual([
      [at(1_000), false],
      ...[900, 100, 500, 501].map((day) => [at(day), true]),
    ])
    expect(await ingest(ledger, { day: 1_040, ...of })).toBe('fresh')
  })

  test('moves there if its event was processed again, and nothing else of its learner is at that time', async () => {
    await using testLedger = await openRefused()
    const { ledger, database } = testLedger
    for (const other of [{ learner: '4' }, { pipeline: 'autumn' }, { system: 'seminar' }])
      await ingest(ledger, { day: 100, ...other })
    await ingest(await openWholeLedger(database, 'production'), { day: 100 })
    expect(await ingest(ledger, { day: 100, eventId: 1 })).toBe('again')
    expect(await timeOf(testLedger, 1)).toEqual(at(100))
  })

  test('stays where it is if a repeated report of its learner is at that time', async () => {
    await using testLedger = await openRefused()
    const { ledger } = testLedger
    await ingest(ledger, { day: 90 })
    expect(await ingest(ledger, { day: 100 })).toBe('same')
    expect(await ingest(ledger, { day: 100, eventId: 1, renewAfterDays: 5 })).toBe('again')
    expect(await timeOf(testLedger, 1)).toEqual(at(1))
  })

  test('stays where it is if the report is of the same occasion', async () => {
    await using testLedger = await openRefused()
    expect(await ingest(testLedger.ledger, { day: 5, cells: { email: 'a' } })).toBe('again')
    expect(await timeOf(testLedger, 1)).toEqual(at(1))
  })
})

describeWithDatabase('a run of completions', () => {
  test('has those of its pipeline in the order in which they came, unless another worker is taking them', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    for (const learner of ['3', '4', '5']) await ingest(ledger, { day: 1, learner, cells: { learner } })
    await ingest(ledger, { day: 1, pipeline: 'autumn' })
    await ingest(await openWholeLedger(database, 'production'), { day: 1 })
    await using unordered = await openUnordered(testLedger)
    // A row that was changed is stored after the others.
    const moveFirst = () => database.query(`UPDATE completion SET cells = cells WHERE learner = '3'`)
    await moveFirst()
    const run = await database.transaction(async (sql) => {
      await sql.query(`SELECT FROM completion WHERE learner = '4' FOR UPDATE`)
      return unordered.ledger.completions.createRun('spring')
    })
    await moveFirst()
    const rows: unknown[] = []
    for await (const batch of unordered.ledger.completions.rowsOf(run ?? '')) rows.push(...batch)
    expect(rows).toEqual(['3', '5'].map((learner, index) => ({ row: index + 2, cells: { learner }, occasion: null })))
    expect(await ledger.completions.waiting()).toEqual(expect.arrayContaining(['autumn', 'spring']))
    await ledger.completions.createRun('autumn')
    expect(await ledger.completions.waiting()).toEqual(['spring'])
  })
})
