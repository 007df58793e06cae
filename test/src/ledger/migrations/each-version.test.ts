// Data of each version of the ledger, through all later migrations. The database climbs from migration to migration,
// and at each one it gets the data of that version: a list is migrated from its own version on.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLedger } from '#src/ledger/ledger.ts'
import { knownMigrations, migrate } from '#src/ledger/migrate.ts'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import { invariants } from '#test/guarantees/interleavings/invariants.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'
import { statesOfRows, writeDataOfVersion } from './data-of-a-version.ts'

const folder = new URL('../../../../src/ledger/migrations/', import.meta.url)

/** What no migration may change: each row's data and its number of steps in the history. */
const unchanged = `
  SELECT i.id, i.pipeline, i.row_number, i.recipient, i.issuance_key, i.state, i.credential_id, i.entity_uuid, r.cells,
         (SELECT count(*) FROM history h WHERE h.issuance_id = i.id) AS steps
  FROM issuance i JOIN run_row r ON r.run_id = i.run_id AND r.row_number = i.row_number ORDER BY i.id`

describeWithDatabase('a ledger with data of each version', () => {
  const stack = new AsyncDisposableStack()
  let database: Database
  const written: unknown[] = []
  const versions: string[] = []

  beforeAll(async () => {
    const empty = stack.use(await emptyDatabase())
    database = stack.use(openDatabase(empty.url))
    await database.query('CREATE SCHEMA credsync')
    await database.query(
      'CREATE TABLE migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    for (const name of await knownMigrations()) {
      await database.query(await readFile(new URL(name, folder), 'utf8'))
      await database.query('INSERT INTO migration (name) VALUES ($1)', [name])
      const version = name.slice(0, 4)
      await writeDataOfVersion(database, version)
      const { rows } = await database.query<{ pipeline: string }>(unchanged)
      written.push(...rows.filter(({ pipeline }) => pipeline === `p-${version}`))
      versions.push(version)
    }
    await migrate(database, randomBytes(32))
  })
  afterAll(() => stack.disposeAsync())

  test('keeps every row with its data, state and history', async () => {
    const { rows } = await database.query(unchanged)
    expect(rows).toHaveLength(versions.length * Object.keys(statesOfRows).length)
    expect(rows).toEqual(written)
  })

  test.for(Object.entries(invariants))('still holds: %s', async ([, sql]) => {
    const { rows } = await database.query(sql)
    expect(rows).toEqual([])
  })

  test('counts the rows of each list as they are', async () => {
    const { runs } = await openLedger(database, 'development')
    const once = Object.fromEntries(Object.values(statesOfRows).map((state) => [state, 1]))
    for (const { id } of await runs.list()) expect((await runs.withStates(id))?.states).toEqual(once)
  })

  test('finds every row by its identity', async () => {
    const { rows } = await database.query(
      `SELECT i.pipeline, i.row_number FROM issuance i
       WHERE NOT EXISTS (SELECT FROM issuance_identity n WHERE n.issuance_id = i.id AND n.identity_hash = i.identity_hash)`,
    )
    expect(rows).toEqual([])
  })

  test('goes on: lost calls are noticed, and what is due is sent', async () => {
    const { attempts, runs } = await openLedger(database, 'development')
    expect(await attempts.markLost(null)).toHaveLength(versions.length)
    for (const version of versions) {
      const [attemptId] = await attempts.prepare(`p-${version}`, 10)
      const claim = await attempts.claim({
        attemptId: Number(attemptId),
        instance: crypto.randomUUID(),
        requestSha256: '',
        deadlineMs: 60_000,
      })
      expect(claim, version).toMatchObject({ number: expect.any(Number) })
    }
    for (const { id } of await runs.list())
      expect((await runs.withStates(id))?.states).toMatchObject({ pending: 0, sending: 1, unconfirmed: 2 })
  })
})
