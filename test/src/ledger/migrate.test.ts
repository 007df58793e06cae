// Migrations of the ledger, in databases of this and of earlier versions, and the service address that a ledger is used
// with.

import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openLedger } from '#src/ledger/ledger.ts'
import { checksumOf, LedgerTooNewError, MigrationChangedError, migrate } from '#src/ledger/migrate.ts'
import { EnvironmentMixedError, pinServiceAddress } from '#src/ledger/service-address.ts'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'

const migrations = new URL('../../../src/ledger/migrations/', import.meta.url)

/** Creates the ledger of an earlier version: the one whose last migration is `last`. */
async function createEarlierLedger(database: Database, last: string): Promise<void> {
  await database.query('CREATE SCHEMA credsync')
  await database.query('CREATE TABLE migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())')
  for (const name of (await readdir(migrations)).filter((each) => each.slice(0, 4) <= last).sort()) {
    await database.query(await readFile(new URL(name, migrations), 'utf8'))
    await database.query('INSERT INTO migration (name) VALUES ($1)', [name])
  }
}

describeWithDatabase('an empty database', () => {
  test('becomes a ledger once, with one key, even if many processes start at the same time', async () => {
    await using empty = await emptyDatabase()
    await using stack = new AsyncDisposableStack()
    const processes = Array.from({ length: 6 }, () => stack.use(openDatabase(empty.url, { connections: 2 })))
    const applied = await Promise.all(processes.map((process) => migrate(process, randomBytes(32))))
    expect(applied.filter((names) => names.length > 0)).toEqual([(await readdir(migrations)).sort()])
    const ledgers = await Promise.all(processes.map((process) => openLedger(process, 'development')))
    const hashes = ledgers.map((ledger) => ledger.hasher.match('email', 'ada@example.org').toString('hex'))
    expect(new Set(hashes).size).toBe(1)
  })

  test('makes other processes wait while one creates the tables, whatever the statement timeout', async () => {
    await using empty = await emptyDatabase()
    await using other = openDatabase(empty.url)
    await using stack = new AsyncDisposableStack()
    const url = new URL(empty.url)
    url.searchParams.set('options', '-c search_path=credsync -c statement_timeout=100')
    const impatient = stack.use(openDatabase(url.href, { connections: 1 }))
    const holder = await other.session()
    await holder.query(`SELECT pg_advisory_lock(hashtextextended('credsync:migrate', 0))`)
    const migrating = migrate(impatient, randomBytes(32))
    const waited = async () => {
      const { rows } = await other.query<{ long: boolean }>(
        `SELECT bool_or(clock_timestamp() - query_start > '300 ms') AS long FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event = 'advisory'`,
      )
      return rows[0]?.long === true
    }
    try {
      await Promise.race([until('a wait of three times the limit', waited), migrating])
    } finally {
      await holder.release()
    }
    expect(await migrating).toEqual((await readdir(migrations)).sort())
  })

  test('is not a ledger yet, and the message says how to create one', async () => {
    await using empty = await emptyDatabase()
    await using database = openDatabase(empty.url)
    await migrate(database, randomBytes(32))
    await database.query('DELETE FROM ledger')
    await expect(openLedger(database, 'development')).rejects.toThrow('it was not migrated')
  })
})

describeWithDatabase('a ledger', () => {
  test('keeps its key when it is migrated again', async () => {
    await using ledger = await openTestLedger()
    expect(await migrate(ledger.database, randomBytes(32))).toEqual([])
    const again = await openLedger(ledger.database, 'development')
    expect(again.hasher.match('uid', '1')).toEqual(ledger.ledger.hasher.match('uid', '1'))
    expect(again.id).toBe(ledger.ledger.id)
  })

  test('of an earlier version keeps its runs, whose skipped rows count as known', async () => {
    await using empty = await emptyDatabase()
    await using database = openDatabase(empty.url)
    await createEarlierLedger(database, '0003')
    const values = `'development', 'spring', 'a.csv', '/a.csv', 'sha', 'published', 3, 1, 2`
    await database.query(
      `INSERT INTO run (environment, pipeline, source_name, source_path, source_sha256, state, rows, invalid, skipped) VALUES (${values})`,
    )
    await migrate(database, randomBytes(32))
    const ledger = await openLedger(database, 'development')
    expect(await ledger.runs.list()).toMatchObject([
      { rows: 3, skipped: 2, known: 2, changed: 0, gone: 0, lastList: null, brake: null, approval: null },
    ])
  })

  test('of an earlier version keeps what the watchdogs of pipelines were told, and tells them nothing of older lists', async () => {
    await using empty = await emptyDatabase()
    await using database = openDatabase(empty.url)
    await createEarlierLedger(database, '0053')
    await database.query(
      `INSERT INTO run (environment, pipeline, source_name, source_path, source_sha256, received_at)
       SELECT 'development', pipeline, name, name, name, now() - days * interval '1 day'
       FROM (VALUES ('spring', 'old.csv', 3), ('spring', 'told.csv', 2), ('spring', 'new.csv', 1), ('autumn', 'older.csv', 2)) r (pipeline, name, days)`,
    )
    await database.query(
      `INSERT INTO heartbeat_ping (environment, pipeline, run_id, phase)
       SELECT 'development', 'spring', id, 'taken' FROM run WHERE source_name = 'told.csv' UNION ALL SELECT 'development', 'autumn', NULL, 'none'`,
    )
    await migrate(database, randomBytes(32))
    const { notices } = await openLedger(database, 'development')
    const due = async () => {
      const found: string[] = []
      for (const pipeline of ['spring', 'autumn']) {
        const since = await notices.watchedSince(`heartbeat ${pipeline}`, '', new Date())
        for (const { run, phase } of await notices.listsToPing(pipeline, since)) {
          const { rows } = await database.query<{ name: string }>('SELECT source_name AS name FROM run WHERE id = $1', [
            run,
          ])
          found.push(`${rows[0]?.name} ${phase}`)
        }
      }
      return found
    }
    expect(await due()).toEqual(['new.csv taken'])
    await database.query(`UPDATE run SET state = 'refused', settled_at = now() WHERE pipeline = 'spring'`)
    expect(await due()).toEqual(['told.csv failed', 'new.csv failed'])
  })

  test('of an earlier version keeps events and completions, of which only invalid rows are checked by the new rules', async () => {
    await using empty = await emptyDatabase()
    await using database = openDatabase(empty.url)
    await createEarlierLedger(database, '0019')
    await database.query(
      `INSERT INTO delivery (environment, system, key, headers, body, state, problem, judged_at) VALUES
       ('development', 'hooks', '\\x01', '{}', '{}', 'new', NULL, NULL), ('development', 'hooks', '\\x02', '{}', '{}', 'judged', NULL, now()),
       ('development', 'hooks', '\\x03', '{}', '{}', 'strange', 'It is strange.', now())`,
    )
    await database.query(
      `WITH run AS (INSERT INTO run (environment, pipeline, source_name, source_path, source_sha256, state, rows, invalid, accepted)
         VALUES ('development', 'spring', 'campus', 'completions:campus', 'sha', 'published', 2, 1, 1) RETURNING id),
       issuance AS (INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline)
         SELECT 'development', gen_random_uuid(), '\\x01', '\\x01', id, 2, 'spring' FROM run RETURNING id),
       rows AS (INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id) SELECT run.id, 2, 'accepted', '{}'::jsonb, issuance.id FROM run, issuance
         UNION ALL SELECT id, 3, 'invalid', '{}', NULL FROM run)
       INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, heard_by, cells, state, run_id, row_number)
         SELECT 'development', 'campus', 'spring', 'l' || n, 'FIRE-1', now(), 'event', '{}'::jsonb, 'taken', id, n FROM run, unnest('{2,3}'::int[]) n`,
    )
    await migrate(database, randomBytes(32))
    const { inboundEvents, completions } = await openLedger(database, 'development')
    expect(await inboundEvents.counts()).toEqual([
      { system: 'hooks', unjudged: 1, strange: 1, unclaimed: 0, left: 0, held: null },
    ])
    expect(await inboundEvents.unprocessed('hooks', 9)).toMatchObject([{ id: 1, voided: false, again: false }])
    expect(await inboundEvents.processAgain('hooks')).toBe(1)
    expect(await completions.takeToCompare()).toEqual(['spring'])
    await completions.tryAgain('spring', 'the current rules')
    expect(await completions.counts()).toMatchObject([{ ready: 1, refused: 0 }])
    const { rows } = await database.query(`SELECT learner FROM completion WHERE state = 'ready'`)
    expect(rows).toEqual([{ learner: 'l3' }])
  })

  test('of an earlier version keeps its prepared batch, which can be claimed', async () => {
    await using empty = await emptyDatabase()
    await using database = openDatabase(empty.url)
    await createEarlierLedger(database, '0036')
    await database.query(
      `WITH run AS (INSERT INTO run (environment, pipeline, source_name, source_path, source_sha256, state, rows, accepted)
         VALUES ('development', 'spring', 'a.csv', '/a.csv', 'sha', 'published', 2, 2) RETURNING id),
       issuance AS (INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, due_at)
         SELECT 'development', gen_random_uuid(), sha256(n::text::bytea), '\\x01', id, n, 'spring', 'infinity' FROM run, generate_series(2, 3) n RETURNING id),
       attempt AS (INSERT INTO attempt (environment, course_uuid, pipeline, size) VALUES ('development', gen_random_uuid(), 'spring', 2) RETURNING id)
       INSERT INTO attempt_item (attempt_id, issuance_id, position) SELECT attempt.id, issuance.id, issuance.id FROM attempt, issuance`,
    )
    await migrate(database, randomBytes(32))
    const { attempts, runs } = await openLedger(database, 'development')
    const [run] = await runs.list()
    expect((await runs.withStates(run?.id ?? ''))?.states).toMatchObject({ pending: 2, sending: 0 })
    const claim = { attemptId: 1, instance: crypto.randomUUID(), requestSha256: '', deadlineMs: 1_000 }
    expect(await attempts.claim(claim)).toMatchObject({ number: 1 })
    const { rows } = await database.query('SELECT state, open_attempt AS attempt FROM issuance')
    expect(rows).toEqual(Array(2).fill({ state: 'sending', attempt: 1 }))
  })

  test('that a newer version has migrated is refused and not changed, and its lock is released', async () => {
    await using ledger = await openTestLedger()
    await ledger.database.query(`INSERT INTO migration (name) VALUES ('9999-later.sql')`)
    const fault = await migrate(ledger.database, randomBytes(32)).catch((error) => error)
    expect(fault).toBeInstanceOf(LedgerTooNewError)
    expect(fault.message).toContain('9999-later.sql')
    await ledger.database.query(`DELETE FROM migration WHERE name = '9999-later.sql'`)
    await using other = openDatabase(ledger.url)
    expect(await migrate(other, randomBytes(32))).toEqual([])
  })

  test('from a version that stored no checksums of its migrations gets them at the next start', async () => {
    await using empty = await emptyDatabase()
    await using database = openDatabase(empty.url)
    await createEarlierLedger(database, '0021')
    await migrate(database, randomBytes(32))
    const { rows } = await database.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM migration')
    const names = (await readdir(migrations)).sort()
    const texts = await Promise.all(names.map((name) => readFile(new URL(name, migrations), 'utf8')))
    const expected = names.map((name, at) => [
      name,
      createHash('sha256')
        .update(texts[at] ?? '')
        .digest('hex'),
    ])
    expect(new Map(rows.map(({ name, sha256 }) => [name, sha256]))).toEqual(new Map(expected as [string, string][]))
    expect(await migrate(database, randomBytes(32))).toEqual([])
  })

  test('is refused by a program with a different migration, and the message names the file and the remedy', async () => {
    await using ledger = await openTestLedger()
    await ledger.database.query(`UPDATE migration SET sha256 = 'of a different text' WHERE name = '0003-evidence.sql'`)
    const fault = await migrate(ledger.database, randomBytes(32)).catch((error) => error)
    expect(fault).toBeInstanceOf(MigrationChangedError)
    expect(fault.message).toMatch(
      /different version of src\/ledger\/migrations\/0003-evidence\.sql\. .*restore the file/,
    )
  })

  test('is accepted by a program whose files have different line endings', () => {
    expect(checksumOf('SELECT 1;\r\nSELECT 2;\r\n')).toBe(checksumOf('SELECT 1;\nSELECT 2;\n'))
    expect(checksumOf('SELECT 1;\n')).not.toBe(checksumOf('SELECT 2;\n'))
  })

  test('never lets a service address change its environment', async () => {
    await using ledger = await openTestLedger()
    const pin = (environment: string, baseUrl = 'https://api.example.org') =>
      pinServiceAddress(ledger.database, { baseUrl, environment, formerAddresses: [] })
    await pin('development')
    await pin('development')
    await pin('production', 'https://live.example.org')
    const fault = await pin('production').catch((error) => error)
    expect(fault).toBeInstanceOf(EnvironmentMixedError)
    expect(fault.message).toContain('has used it as development')
    await expect(pin('development', 'https://live.example.org')).rejects.toThrow(EnvironmentMixedError)
  })

  test('accepts a second address in an environment only if it is declared as the new address of the same account', async () => {
    await using ledger = await openTestLedger()
    const pin = (baseUrl: string, formerAddresses: string[] = []) =>
      pinServiceAddress(ledger.database, { baseUrl, environment: 'development', formerAddresses })
    await pin('https://old.example.org')
    await expect(pin('https://new.example.org')).rejects.toThrow('service.formerAddresses')
    await pin('https://new.example.org', ['https://old.example.org'])
    await pin('https://new.example.org', ['https://old.example.org'])
    await expect(pin('https://new.example.org')).rejects.toThrow(EnvironmentMixedError)
  })
})
