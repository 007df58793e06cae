// Runs two verbs on two connections: the first is stopped before a statement, the second runs until it ends or waits
// for the first, then the first continues.

import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'
import { openInvariants } from './invariants.ts'
import { keepScene } from './restore-scene.ts'
import { buildScene, instance, type Scene } from './scene.ts'
import { noStops, recordStatements, type SteppedDatabase, steppedDatabase, stopBefore } from './stepped-database.ts'
import { titleOf, type Verb } from './verb.ts'

export interface SceneLedger extends AsyncDisposable {
  /** Returns the statements of a verb, how many of them changed a row, and the invariants that the verb broke. */
  runAlone(verb: Verb): Promise<{ texts: readonly string[]; written: number; faults: readonly string[] }>
  /** Runs `sql` on the scene. Returns the invariants that are broken afterwards. */
  brokenBy(sql: string): Promise<string[]>
  /**
   * @param at number of the statement before which the first verb is stopped; a number after the last statement means
   * its commit
   */
  runTogether(first: Verb, second: Verb, at: number): Promise<Interleaved>
}

export interface Interleaved {
  faults: string[]
  /** Whether the second verb waited for the first. */
  waited: boolean
  /** Transactions that PostgreSQL aborted because of a deadlock and that were repeated. */
  deadlocks: number
}

interface Side {
  database: SteppedDatabase
  ledger: WholeLedger
}

/** A separate ledger with the scene in it. */
export async function openSceneLedger(): Promise<SceneLedger> {
  await using stack = new AsyncDisposableStack()
  const testLedger = stack.use(await openTestLedger())
  const scene = await buildScene(testLedger)
  await testLedger.database.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = 20', current_database()); END $$`,
  )
  const { restore } = await keepScene(testLedger.database)
  const brokenNow = await openInvariants(testLedger.database)
  const side = async (name: string): Promise<Side> => {
    const database = steppedDatabase(stack.use(openDatabase(testLedger.url, { connections: 2, instance: name })))
    return { database, ledger: await openWholeLedger(database, 'development') }
  }
  const [first, second] = [await side('first'), await side('second')]
  const closing = stack.move()
  const parts = { watcher: testLedger.database, brokenNow, scene, first, second }
  return {
    async runAlone(verb) {
      await restore()
      const recorded = recordStatements()
      first.database.stops = recorded
      const faults = await failureOf(verb, first, scene)
      return { ...recorded, faults: [...faults, ...(await brokenAfterwards(parts))] }
    },
    async brokenBy(sql) {
      await restore()
      await testLedger.database.transaction(async (within) => {
        await within.query('SET LOCAL session_replication_role = replica')
        await within.query(sql)
      })
      return brokenNow()
    },
    async runTogether(one, other, at) {
      await restore()
      return runTogether(parts, one, other, at)
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

interface SceneParts {
  watcher: Database
  brokenNow: () => Promise<string[]>
  scene: Scene
  first: Side
  second: Side
}

async function runTogether(parts: SceneParts, one: Verb, other: Verb, at: number): Promise<Interleaved> {
  const { first, second, scene, watcher } = parts
  const stop = stopBefore(at)
  first.database.stops = stop
  first.database.deadlocks = second.database.deadlocks = 0
  const firstEnds = failureOf(one, first, scene)
  await Promise.race([stop.reached, firstEnds])
  let waited = false
  const secondEnds = failureOf(other, second, scene)
  await Promise.race([secondEnds, waitingFor(watcher, secondEnds).then((does) => (waited = does))])
  stop.resume()
  const failures = [...(await firstEnds), ...(await secondEnds)]
  const deadlocks = first.database.deadlocks + second.database.deadlocks
  return { faults: [...failures, ...(await brokenAfterwards(parts))], waited, deadlocks }
}

/** Resolves once the second verb waits for a lock or has ended. Returns whether it waits. */
async function waitingFor(watcher: Database, ends: Promise<unknown>): Promise<boolean> {
  let ended = false
  ends.then(() => {
    ended = true
  })
  let waits = false
  const check = async () => {
    const { rowCount } = await watcher.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'credsync second' AND wait_event_type = 'Lock'`,
    )
    waits = rowCount > 0
    return ended || waits
  }
  await until('the second verb to end or to wait', check, { everyMs: 1 })
  return waits && !ended
}

async function failureOf(verb: Verb, { ledger }: Side, scene: Scene): Promise<string[]> {
  try {
    await verb.run(ledger, scene)
    return []
  } catch (error) {
    if (error instanceof Error && verb.mayThrow?.(error)) return []
    return [`${titleOf(verb)} failed: ${error instanceof Error ? error.message : error}`]
  }
}

/** Returns the broken invariants, and checks that every prepared batch can be claimed or dropped. */
async function brokenAfterwards({ watcher, brokenNow, scene, second }: SceneParts): Promise<string[]> {
  second.database.stops = noStops
  const broken = await brokenNow()
  const { rows } = await watcher.query<{ id: number }>(`SELECT id FROM attempt WHERE phase = 'prepared' ORDER BY id`)
  const stuck: string[] = []
  for (const { id } of rows) {
    const claiming = { name: `claiming attempt ${id} afterwards`, run: claim(id) }
    stuck.push(...(await failureOf(claiming, second, scene)))
  }
  return [...broken, ...stuck]
}

const claim = (attemptId: number) => (ledger: WholeLedger) =>
  ledger.attempts.claim({ attemptId, instance, requestSha256: 'sha', deadlineMs: 1_000 })
