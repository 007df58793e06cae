// Copies a database and restores the copy later, which sets the database back as a failover to a lagging standby or an
// old backup would.

import pg from 'pg'
import { onServer } from './database.ts'

export interface Backup {
  /**
   * Restores the database to the state at the time of the copy and closes all connections to it. Can be called again.
   */
  restore(): Promise<void>
  drop(): Promise<void>
}

/** Copies a whole database. This closes its connections; their pools reconnect at the next query. */
export async function backUp(url: string): Promise<Backup> {
  const name = new URL(url).pathname.slice(1)
  const copy = `${name}_backup`
  await copyDatabase(name, copy)
  return {
    restore: () => copyDatabase(copy, name),
    drop: () => onServer(`DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`),
  }
}

async function copyDatabase(from: string, to: string): Promise<void> {
  await onServer(`DROP DATABASE IF EXISTS ${to} WITH (FORCE)`)
  await onServer(`ALTER DATABASE ${from} ALLOW_CONNECTIONS false`)
  try {
    await endConnections(from)
    await onServer(`CREATE DATABASE ${to} TEMPLATE ${from} STRATEGY FILE_COPY`)
  } finally {
    await onServer(`ALTER DATABASE ${from} ALLOW_CONNECTIONS true`)
  }
}

/** Repeats until no connection is left, because one may be opened after the first check. */
async function endConnections(name: string): Promise<void> {
  const client = new pg.Client(process.env.CREDSYNC_TEST_POSTGRES)
  await client.connect()
  try {
    for (;;) {
      const { rowCount } = await client.query(
        'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1',
        [name],
      )
      if (rowCount === 0) return
    }
  } finally {
    await client.end()
  }
}
