// Migrations of the ledger, ledgers of other versions and builds, and the service address that a ledger is used with.

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { checksumOf, LedgerTooNewError, MigrationChangedError, migrate } from '#src/ledger/migrate.ts'
import { EnvironmentMixedError, pinServiceAddress } from '#src/ledger/service-address.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'
import { migrationFiles } from '#test/support/migration-files.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'

const migrations = migrationFiles.map(({ name }) => name)

describeWithDatabase('an empty database', () => {
  test('becomes a ledger once, with one key, even if many processes start at the same time', async () => {
    await using empty = await emptyDatabase()
    await using stack = new AsyncDisposableStack()
    const processes = Array.from({ length: 6 }, () => stack.use(openDatabase(empty.url, { connections: 2 })))
    const applied = await Promise.all(processes.map((process) => migrate(process, randomBytes(32))))
    expect(applied.filter((names) => names.length > 0)).toEqual([migrations])
    const ledgers = await Promise.all(processes.map((process) => openWholeLedger(process, 'development')))
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
    expect(await migrating).toEqual(migrations)
  })

  test('is not a ledger yet, and the message says how to create one', async () => {
    await using empty = await emptyDatabase()
    await using database = openDatabase(empty.url)
    await migrate(database, randomBytes(32))
    await database.query('DELETE FROM ledger')
    await expect(openWholeLedger(database, 'development')).rejects.toThrow('it was not migrated')
  })
})

describeWithDatabase('a ledger', () => {
  test('keeps its key when it is migrated again', async () => {
    await using ledger = await openTestLedger()
    expect(await migrate(ledger.database, randomBytes(32))).toEqual([])
    const again = await openWholeLedger(ledger.database, 'development')
    expect(again.hasher.match('uid', '1')).toEqual(ledger.ledger.hasher.match('uid', '1'))
    expect(again.id).toBe(ledger.ledger.id)
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

  test('is refused by a program with a different migration, and the message names the file and the remedy', async () => {
    await using ledger = await openTestLedger()
    await ledger.database.query(`UPDATE migration SET sha256 = 'of a different text' WHERE name LIKE '0003-%'`)
    const fault = await migrate(ledger.database, randomBytes(32)).catch((error) => error)
    expect(fault).toBeInstanceOf(MigrationChangedError)
    expect(fault.message).toMatch(/different version of the migration 0003-\S+\.sql\. .* restore them/)
  })

  test('gets the tables of an extension later, and the planner keeps no samples of what is personal in them', async () => {
    await using ledger = await openTestLedger()
    await ledger.database.query(
      `DROP TABLE erased_completion CASCADE; ALTER TABLE erased_person DROP COLUMN completion_id;
       DELETE FROM migration WHERE name LIKE '0013-%'; ALTER TABLE delivery ALTER COLUMN problem SET STATISTICS -1`,
    )
    expect(await migrate(ledger.database, randomBytes(32))).toEqual([expect.stringMatching(/^0013-/)])
    expect(
      await ledger.queryOne(
        `SELECT attstattarget AS target FROM pg_attribute WHERE attrelid = 'delivery'::regclass AND attname = 'problem'`,
      ),
    ).toEqual({ target: 0 })
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
