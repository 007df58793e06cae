// Creates a fresh database for a test, with the ledger's tables or empty, on the server that global-setup.ts found or
// started.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe } from 'vitest'
import { checkOfKey } from '#src/ledger/hash-key.ts'
import { reportMissingServer } from './describe-with-redis.ts'
import { prepareLedger } from './prepare-ledger.ts'

export interface TestDatabase extends AsyncDisposable {
  url: string
  /** Disconnects all clients and drops the database. To inspect the data of a failing test, leave the call out. */
  drop(): Promise<void>
}

/**
 * Creates a ledger as a first start does, with its queues, an id and a key. Throws if there is no server: see
 * describeWithDatabase.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const template = new URL(process.env.CREDSYNC_TEST_TEMPLATE ?? serverUrl())
  if (template.pathname === '/' || template.host !== new URL(serverUrl()).host) return preparedDatabase()
  const created = await create(` TEMPLATE ${template.pathname.slice(1)} STRATEGY FILE_COPY`)
  // The ledger's id separates queues in Redis; two copies with the same id would take each other's jobs.
  const key = randomBytes(32)
  await onServer(
    'UPDATE credsync.ledger SET id = DEFAULT, hash_key = $1, key_check = $2, created_at = DEFAULT',
    created.url,
    [key, checkOfKey(key)],
  )
  return created
}

/** Creates a ledger without the template: for the template itself, and for servers that a suite started. */
export async function preparedDatabase(): Promise<TestDatabase> {
  const created = await emptyDatabase()
  await prepareLedger(created.url)
  return created
}

/** Creates an empty database. */
export function emptyDatabase(): Promise<TestDatabase> {
  return create(' STRATEGY FILE_COPY')
}

async function create(templateClause: string): Promise<TestDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}${templateClause}`)
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  const drop = () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  return { url: url.href, drop, [Symbol.asyncDispose]: drop }
}

/** A describe block for tests that call testDatabase. Without a server it is skipped; if CI is set, it fails. */
export function describeWithDatabase(name: string, body: () => void): void {
  if (process.env.CREDSYNC_TEST_POSTGRES) describe(name, body)
  else reportMissingServer(name, 'PostgreSQL', 'CREDSYNC_TEST_POSTGRES')
}

/** Returns the administrator's URL. Throws if there is none. */
export function serverUrl(): string {
  const url = process.env.CREDSYNC_TEST_POSTGRES
  if (!url)
    throw new Error('There is no PostgreSQL for the tests: set CREDSYNC_TEST_POSTGRES to the URL of an administrator.')
  return url
}

// Read when the module is loaded: a suite may later name a server of its own, which it stops.
const sharedServer = process.env.CREDSYNC_TEST_POSTGRES
// Every database is created and dropped by one statement each, and connecting costs the server more than either.
const administrator = new pg.Pool({ connectionString: sharedServer, max: 2, allowExitOnIdle: true })
// An idle connection that the server ends is replaced at the next use.
administrator.on('error', () => {})

/** Runs a statement as the administrator, on the server or in one of its databases. */
export async function onServer(sql: string, url = serverUrl(), values: unknown[] = []): Promise<void> {
  if (url === sharedServer) {
    await administrator.query(sql, values)
    return
  }
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(sql, values)
  } finally {
    await client.end()
  }
}
