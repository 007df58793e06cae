// What `check` reports about a PostgreSQL server and the rights of the account.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { checkDatabase, checkServerFacts, untestedNotices, workerConnections } from '#src/check/check-database.ts'
import type { Parts } from '#src/check/open-parts.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import type { ServerFacts } from '#src/platform/database/server-facts.ts'
import { Secret } from '#src/platform/secret.ts'
import { describeWithDatabase, onServer, testDatabase } from '#test/support/database.ts'

const facts: ServerFacts = {
  version: '15.0',
  versionNumber: 150_000,
  account: 'credsync',
  database: 'credentials',
  readOnly: false,
  closed: [],
  freeConnections: workerConnections.onRedis,
}

test('a server that a worker can use has no fault', () => {
  expect(checkServerFacts(facts, true)).toEqual([])
  expect(checkServerFacts(facts, false)).toEqual([])
})

test.each<[string, Partial<ServerFacts>, string]>([
  ['is too old', { version: '14.9', versionNumber: 149_999 }, 'PostgreSQL 14.9 is too old'],
  ['is read-only', { readOnly: true }, 'the database credentials is read-only'],
  [
    'has a missing schema that may not be created',
    { closed: [{ schema: 'credsync', lacks: 'schema', owner: null }] },
    'the account credsync may not create the schema credsync in the database credentials',
  ],
  [
    'has a schema without rights to create tables',
    { closed: [{ schema: 'credsync', lacks: 'tables', owner: null }] },
    'the account credsync may not use the schema credsync and create tables in it',
  ],
  [
    'has tables that belong to somebody else',
    { closed: [{ schema: 'credsync', lacks: 'ownership', owner: 'postgres' }] },
    'the account credsync may not change tables in the schema credsync, which belong to postgres',
  ],
  [
    'has too few free connections',
    { freeConnections: workerConnections.onRedis - 1 },
    `only ${workerConnections.onRedis - 1} more connections can be opened`,
  ],
  ['has more connections open than are allowed', { freeConnections: -3 }, 'only 0 more connections can be opened'],
])('a server that %s is a fault', (_, found, what) => {
  expect(checkServerFacts({ ...facts, ...found }, true)).toMatchObject([
    { name: 'database', ok: false, what: expect.stringContaining(what) },
  ])
})

test('a server that is newer than the tested ones is used, with a notice', () => {
  expect(untestedNotices({ version: '18.9', versionNumber: 180_009 })).toEqual([])
  expect(untestedNotices({ version: '19.0', versionNumber: 190_000 })).toEqual([
    'credsync has been tested with PostgreSQL 15 to 18, and not with 19.0',
  ])
})

test('a fault names how many connections a worker uses, which are more without Redis', () => {
  const wordsOf = (onRedis: boolean) => checkServerFacts({ ...facts, freeConnections: 0 }, onRedis)[0]?.what
  expect(wordsOf(true)).toMatch(`uses up to ${workerConnections.onRedis}`)
  expect(wordsOf(false)).toMatch(`uses up to ${workerConnections.withoutRedis}`)
  expect(workerConnections.withoutRedis).toBeGreaterThan(workerConnections.onRedis)
})

describeWithDatabase('an account without rights', () => {
  test.each([
    ['development', null, ['credsync', 'credsync_queue_development']],
    ['production', null, ['credsync', 'credsync_queue_production']],
    ['production', new Secret('redis://127.0.0.1'), ['credsync']],
  ])('in %s is told which schemas it cannot use', async (environment, redisUrl, schemas) => {
    await using created = await testDatabase()
    const account = `account_${crypto.randomUUID().replaceAll('-', '')}`
    await onServer('DROP SCHEMA IF EXISTS credsync_queue_development, credsync_queue_production CASCADE', created.url)
    await onServer(`CREATE ROLE ${account}`)
    const database = openDatabase(created.url)
    try {
      const asAccount: typeof database.query = (sql, values) =>
        database.transaction(async (transaction) => {
          await transaction.query(`SET LOCAL ROLE ${account}`)
          return transaction.query(sql, values)
        })
      const file = parseFileSettings({ service: { environment }, pipelines: {} })
      const settings = { file, redisUrl }
      const parts = { database: { ...database, query: asAccount }, storageKind: 'PostgreSQL', settings }
      const checks = await checkDatabase(parts as unknown as Parts)
      // The server of the tests is not durable, which is reported in production too.
      const named = checks.flatMap(({ what }) => / the schema (\w+)/.exec(what)?.[1] ?? [])
      expect([...new Set(named)]).toEqual(schemas)
    } finally {
      await database.close()
      await onServer(`DROP ROLE ${account}`)
    }
  })
})
