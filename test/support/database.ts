// A fresh database for a test, on the server that servers.ts found or started: with the tables of a ledger, or empty.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe } from 'vitest'
import { prepareLedger } from './prepare-ledger.ts'
import { missing } from './redis.ts'

export interface TestDatabase extends AsyncDisposable {
  url: string
  /** Ends what is still connected and drops the database. Leave it out in a failing test to look at what it left. */
  drop(): Promise<void>
}

/** A ledger as a first start makes it, with its queues, an id and a key of its own. Throws when there is no server: see describeWithDatabase. */
export async function testDatabase(): Promise<TestDatabase> {
  const template = new URL(process.env.CREDSYNC_TEST_TEMPLATE ?? serverUrl())
  if (template.pathname === '/' || template.host !== new URL(serverUrl()).host) return preparedDatabase()
  const made = await create(` TEMPLATE ${template.pathname.slice(1)} STRATEGY FILE_COPY`)
  // Queues in Redis are told apart by the ledger's id: two copies with one id would do each other's jobs.
  await onServer('UPDATE credsync.ledger SET id = DEFAULT, hash_key = $1, created_at = DEFAULT', made.url, [
    randomBytes(32),
  ])
  return made
}

/** The same without a template: for the template itself, and on a server that a suite started for itself. */
export async function preparedDatabase(): Promise<TestDatabase> {
  const made = await emptyDatabase()
  await prepareLedger(made.url)
  return made
}

/** A database without anything in it. */
export function emptyDatabase(): Promise<TestDatabase> {
  return create('')
}

async function create(how: string): Promise<TestDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}${how}`)
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  const drop = () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  return { url: url.href, drop, [Symbol.asyncDispose]: drop }
}

/** A describe block for tests that call testDatabase: without a server it is skipped, or fails when CI is set. */
export function describeWithDatabase(name: string, body: () => void): void {
  if (process.env.CREDSYNC_TEST_POSTGRES) describe(name, body)
  else missing(name, 'PostgreSQL', 'CREDSYNC_TEST_POSTGRES')
}

/** Of an administrator. Throws where there is none. */
export function serverUrl(): string {
  const url = process.env.CREDSYNC_TEST_POSTGRES
  if (!url)
    throw new Error('There is no PostgreSQL for the tests: set CREDSYNC_TEST_POSTGRES to the URL of an administrator.')
  return url
}

async function onServer(sql: string, url = serverUrl(), values: unknown[] = []): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(sql, values)
  } finally {
    await client.end()
  }
}
