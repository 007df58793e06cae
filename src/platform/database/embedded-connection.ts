// Connects to the embedded server: verifies that it is ours, creates our database, and counts other connections.

import { realpath } from 'node:fs/promises'
import pg from 'pg'
import { hasCode } from './embedded-error.ts'
import { databaseName, superuser } from './embedded-settings.ts'

export interface ServerEndpoint {
  port: number
  password: string
  pgData: string
}

/** What answered on the port: our server; ours, but starting or stopping; or no usable server, with the reason. */
export type ServerAnswer = { kind: 'ours'; client: pg.Client } | { kind: 'busy' } | { kind: 'unusable'; why: string }

/**
 * Connects to the database `postgres` of the server and verifies that the server is ours: it has our password (SCRAM
 * proves that to both sides) and serves our data directory. The caller owns the client and must end it.
 */
export async function askServer({ port, password, pgData }: ServerEndpoint): Promise<ServerAnswer> {
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
  // A lost connection is also reported by the next query; without a listener the error would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const setting = await client.query<{ data_directory: string }>('show data_directory')
    const directory = setting.rows[0]?.data_directory ?? ''
    if ((await realpath(directory).catch(() => '')) === (await realpath(pgData))) return { kind: 'ours', client }
    await endQuietly(client)
    return { kind: 'unusable', why: 'the server on this port serves another data directory' }
  } catch (error) {
    await endQuietly(client)
    // cannot_connect_now: the database system is starting up, shutting down or recovering.
    if (hasCode(error, '57P03')) return { kind: 'busy' }
    return { kind: 'unusable', why: (error as Error).message }
  }
}

/** Creates the database `credsync` unless it exists. */
export async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('select 1 from pg_database where datname = $1', [databaseName])
  if (found.rowCount !== 0) return
  await client.query(`create database ${databaseName}`).catch((error) => {
    // Another process created it: detected by name or, if both were creating it, by the catalog's unique index.
    if (!hasCode(error, '42P04', '23505')) throw error
  })
}

/** Counts the client connections besides this one, to any database of the server. */
export async function countOthers(client: pg.Client): Promise<number> {
  const counted = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return counted.rows[0]?.others ?? 0
}

/** Ends a connection that may already be broken. */
export async function endQuietly(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined)
}
