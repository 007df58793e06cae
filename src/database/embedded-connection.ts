// Talks to the embedded server: is it ours, has it our database, who else is connected.

import { realpath } from 'node:fs/promises'
import pg from 'pg'
import { hasCode } from './embedded-error.ts'
import { databaseName, superuser } from './embedded-settings.ts'

export interface Endpoint {
  port: number
  password: string
  pgData: string
}

/** What came of asking: our server, ours but just starting or stopping, or no answer of ours (with the reason). */
export type Answer = { kind: 'ours'; client: pg.Client } | { kind: 'busy' } | { kind: 'no'; why: string }

/**
 * Connects to the database `postgres` of that server and makes sure that it is ours: it knows our password (SCRAM
 * proves that to both sides) and serves our data directory. The client belongs to the caller, who ends it.
 */
export async function askServer({ port, password, pgData }: Endpoint): Promise<Answer> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: superuser,
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5_000,
    application_name: 'credsync keeper',
  })
  // A lost connection comes out of the next query too; without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const shown = await client.query<{ data_directory: string }>('show data_directory')
    const directory = shown.rows[0]?.data_directory ?? ''
    if ((await realpath(directory).catch(() => '')) === (await realpath(pgData))) return { kind: 'ours', client }
    await endQuietly(client)
    return { kind: 'no', why: 'another data directory is served there' }
  } catch (error) {
    await endQuietly(client)
    // cannot_connect_now: the database system is starting up, shutting down or recovering.
    if (hasCode(error, '57P03')) return { kind: 'busy' }
    return { kind: 'no', why: (error as Error).message }
  }
}

/** Creates the database `credsync` unless it is there. */
export async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('select 1 from pg_database where datname = $1', [databaseName])
  if (found.rowCount !== 0) return
  await client.query(`create database ${databaseName}`).catch((error) => {
    // Another opener made it: seen by name, or, when both were under way, by the catalog's unique index.
    if (!hasCode(error, '42P04', '23505')) throw error
  })
}

/** How many client connections there are besides this one, on any database of the server. */
export async function countOthers(client: pg.Client): Promise<number> {
  const counted = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return counted.rows[0]?.others ?? 0
}

/** Ends a connection that may be broken already. */
export async function endQuietly(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined)
}
