// A fresh database for a test, on the server that servers.ts found or started.

import pg from 'pg'
import { describe } from 'vitest'
import { missing } from './redis.ts'

export interface TestDatabase extends AsyncDisposable {
  url: string
  /** Ends what is still connected and drops the database. Leave it out in a failing test to look at what it left. */
  drop(): Promise<void>
}

/** Creates an empty database. Throws when there is no server: see describeWithDatabase. */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}`)
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

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client(serverUrl())
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
