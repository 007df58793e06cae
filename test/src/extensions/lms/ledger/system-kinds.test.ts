// Which learning system each verb is about: `campus`, beside another system and both of them in another environment.

import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const long = new Date('2030-01-01T00:00:00Z')

/** All four are due, were unavailable, and are being checked for drift. Those beside `campus` were stored before it. */
async function openSystems(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  await testLedger.database.query(
    `INSERT INTO learning_system (environment, system, due_at, tries, problem, away_since, away_because, look_at, look_began_at)
     SELECT environment, system, '2026-01-01', tries, 'It is away.', '2026-01-02T00:00Z', 'It is away.', '2026-01-03', '2026-01-04'
     FROM (VALUES ('production', 'campus', 7), ('production', 'other', 9), ('development', 'other', 8), ('development', 'campus', 1)) v(environment, system, tries)`,
  )
  return testLedger
}

async function snapshot({ database }: TestLedger): Promise<Map<string, string>> {
  const { rows } = await database.query<{ name: string; values: string }>(
    `SELECT environment || ' ' || system AS name, s::text AS values FROM learning_system s`,
  )
  return new Map(rows.map(({ name, values }) => [name, values]))
}

/** Which systems a verb changes or adds. */
async function changedBy(testLedger: TestLedger, verb: (ledger: WholeLedger) => Promise<unknown>): Promise<string[]> {
  const before = await snapshot(testLedger)
  await verb(testLedger.ledger)
  const after = await snapshot(testLedger)
  return [...after.keys()].filter((name) => before.get(name) !== after.get(name)).sort()
}

const polled = { nextAt: long, fullPollAt: null, problem: null }
const own = ['development campus']

describeWithDatabase('a verb about a learning system', () => {
  test.each<[what: string, verb: (ledger: WholeLedger) => Promise<unknown>]>([
    ['that a check begins', ({ drift }) => drift.begin('campus')],
    ['that a check ended', ({ drift }) => drift.end('campus', long)],
    ['that a check is interrupted', ({ drift }) => drift.postpone('campus', 1)],
    ['that it was polled', ({ learningSystems }) => learningSystems.notePolled('campus', polled)],
    ['that its poll failed', ({ learningSystems }) => learningSystems.noteFailure('campus', 'No.', 1)],
    ['that it is away', ({ learningSystems }) => learningSystems.noteAway('campus', 'No.')],
    ['that it is back', ({ learningSystems }) => learningSystems.noteBack('campus')],
  ])('records of no other one %s', async (_, verb) => {
    await using testLedger = await openSystems()
    expect(await changedBy(testLedger, verb)).toEqual(own)
  })

  test('takes each system of its environment once to poll, and again when its job seems to be lost', async () => {
    await using testLedger = await openSystems()
    const { ledger, database } = testLedger
    const set = (change: string, system: string) =>
      database.query(`UPDATE learning_system SET ${change} WHERE system = $1`, [system])
    const taken = async () => [await ledger.learningSystems.take(), await ledger.drift.take()]
    await set('watched = false', 'other')
    expect(await taken()).toEqual([['campus'], ['campus']])
    expect(await taken()).toEqual([[], []])
    await set(`asked_at = '2026-01-05', look_asked_at = '2026-01-05'`, 'campus')
    expect(await taken()).toEqual([['campus'], ['campus']])
    await set(`watched = true, due_at = 'infinity', look_at = 'infinity'`, 'other')
    expect(await taken()).toEqual([[], []])
  })

  test('tells when it is due, and how often its poll failed', async () => {
    await using testLedger = await openSystems()
    expect(await testLedger.ledger.learningSystems.dueOf('campus')).toMatchObject({ tries: 1, due: true })
  })

  test('replaces the systems of its environment, with their schedules', async () => {
    await using testLedger = await openSystems()
    const night = { system: 'campus', schedule: 'late', nextAt: long, checksDrift: true }
    const register = ({ learningSystems }: WholeLedger) => learningSystems.register(['campus'], [night])
    expect(await changedBy(testLedger, register)).toEqual(['development campus', 'development other'])
    const { learningSystems } = testLedger.ledger
    expect((await learningSystems.statuses()).map(({ system, watched }) => `${system} ${watched}`)).toEqual([
      'campus true',
      'other false',
    ])
    const all = await (await openWholeLedger(testLedger.database, 'any')).learningSystems.statuses()
    expect(all.map(({ system, watched }) => `${system} ${watched}`)).toEqual([
      ...['campus true', 'other false'],
      ...['campus true', 'other true'],
    ])
  })
})

describeWithDatabase('a learning system that is back', () => {
  const stateOf = async ({ queryOne }: TestLedger) =>
    queryOne(
      `SELECT due_at::text AS due, due_at > '2026-02-01' AS "isDueNow", away_since IS NOT NULL AS away, away_because IS NOT NULL AS because FROM learning_system
       WHERE environment = 'development' AND system = 'campus'`,
    )

  test.each<[what: string, change: string, state: object]>([
    ['is polled at once if its poll failed', 'tries = 1', { isDueNow: true, away: true, because: true }],
    ['is available if no poll failed', 'tries = 0', { isDueNow: false, away: false, because: false }],
    ['is polled when it is due if it was not away', 'away_since = NULL', { isDueNow: false, away: false }],
  ])('%s', async (_, change, state) => {
    await using testLedger = await openSystems()
    await testLedger.database.query(`UPDATE learning_system SET ${change}`)
    await testLedger.ledger.learningSystems.noteBack('campus')
    expect(await stateOf(testLedger)).toMatchObject(state)
  })

  test('and then away again, is never polled if it only receives deliveries', async () => {
    await using testLedger = await openTestLedger()
    const { learningSystems } = testLedger.ledger
    await learningSystems.noteAway('campus', 'No.')
    const since = (await learningSystems.statuses())[0]?.unavailableSince
    await learningSystems.noteAway('campus', 'No.')
    expect((await learningSystems.statuses())[0]?.unavailableSince).toEqual(since)
    await learningSystems.noteBack('campus')
    await learningSystems.noteAway('campus', 'No.')
    expect(await stateOf(testLedger)).toMatchObject({ due: 'infinity', away: true })
  })

  test('keeps the time of its next full poll, unless everybody was polled', async () => {
    await using testLedger = await openSystems()
    const { learningSystems } = testLedger.ledger
    const fullPoll = async () =>
      (
        await testLedger.queryOne<{ at: Date }>(
          `SELECT sweep_at AS at FROM learning_system WHERE environment = 'development' AND system = 'campus'`,
        )
      ).at
    await learningSystems.notePolled('campus', { ...polled, fullPollAt: long })
    await learningSystems.notePolled('campus', polled)
    expect(await fullPoll()).toEqual(long)
  })

  test('was away since its first poll failed', async () => {
    await using testLedger = await openSystems()
    const { learningSystems } = testLedger.ledger
    await learningSystems.noteFailure('campus', 'No.', 1)
    expect((await learningSystems.statuses())[0]?.unavailableSince).toEqual(new Date('2026-01-02'))
    await testLedger.database.query('UPDATE learning_system SET away_since = NULL')
    await learningSystems.noteFailure('campus', 'No.', 1)
    expect((await learningSystems.statuses())[0]?.unavailableSince).toBeInstanceOf(Date)
  })
})
