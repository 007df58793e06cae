// What a verb locks, and when: seen by another connection, before each statement of the verb and before its commit.

import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import type { Scene } from '#test/guarantees/interleavings/scene.ts'
import { noStops, steppedDatabase } from '#test/guarantees/interleavings/stepped-database.ts'
import type { Verb } from '#test/guarantees/interleavings/verb.ts'
import type { TestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'

/** What is locked before a statement or the commit, and was not before: rows by table and id, and advisory locks. */
export interface LockStep {
  /** The number of the statement, counted from one. */
  statement: number
  locks: string[]
}

export interface LockWatch extends AsyncDisposable {
  steps(verb: Verb): Promise<LockStep[]>
  /** The rows and attempts that a verb locks before it waits for a row. */
  lockedBefore(verb: Verb, row: number): Promise<string[]>
}

const keyOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['issuance', 'attempt', 'run', 'revocation', 'delivery', 'completion', 'inbound_event'].map((table) => [
      table,
      'id::text',
    ]),
  ),
  archive: `environment || '/' || pipeline`,
  learning_system: `environment || '/' || system`,
}

/** A row is locked if nobody else may change it. */
const lockedSql = [
  ...Object.entries(keyOf).map(
    ([table, key]) =>
      `SELECT '${table} ' || ${key} AS what FROM ${table} EXCEPT SELECT '${table} ' || ${key} FROM (SELECT * FROM ${table} FOR NO KEY UPDATE SKIP LOCKED) free`,
  ),
  `SELECT 'advisory ' || classid || ':' || objid || ' ' || mode FROM pg_locks
   WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
].join(' UNION ALL ')

export async function openLockWatch(testLedger: TestLedger, scene: Scene): Promise<LockWatch> {
  await using stack = new AsyncDisposableStack()
  const { database } = testLedger
  const stepped = steppedDatabase(stack.use(openDatabase(testLedger.url, { connections: 2, instance: 'locking' })))
  // One for each verb: what a ledger remembers must not outlive the scene.
  const open = () => openWholeLedger(stepped, 'development', { lostAfterMs: 864_000_000 })
  const holder = stack.use(openDatabase(testLedger.url, { connections: 1, instance: 'holder' }))
  const closing = stack.move()
  return {
    async steps(verb) {
      const ledger = await open()
      const steps: LockStep[] = []
      const known = new Set<string>()
      let statement = 0
      const before = async () => {
        statement++
        const locks = (await locked(database)).filter((what) => !known.has(what))
        for (const what of locks) known.add(what)
        if (locks.length > 0) steps.push({ statement, locks })
      }
      stepped.stops = { before }
      await verb.run(ledger, scene).catch(() => null)
      stepped.stops = noStops
      return steps
    },
    async lockedBefore(verb, row) {
      const ledger = await open()
      let ends = false
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      const { promise: holds, resolve: held } = Promise.withResolvers<void>()
      const holding = holder.transaction(async (sql) => {
        await sql.query('SELECT FROM issuance WHERE id = $1 FOR UPDATE', [row])
        held()
        await released
      })
      await holds
      const running = verb
        .run(ledger, scene)
        .catch(() => null)
        .then(() => {
          ends = true
        })
      await until('the verb to wait', async () => ends || isWaiting(database), { everyMs: 5 })
      const locks = (await locked(database)).filter((what) => /^(issuance|attempt) /.test(what))
      release()
      await Promise.all([holding, running])
      return locks.filter((what) => what !== `issuance ${row}`)
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function locked(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ what: string }>(lockedSql)
  return rows.map(({ what }) => what).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

async function isWaiting(database: Database): Promise<boolean> {
  const { rowCount } = await database.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'credsync locking' AND wait_event_type = 'Lock'`,
  )
  return rowCount > 0
}
