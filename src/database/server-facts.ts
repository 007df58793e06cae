// What a PostgreSQL server says of itself and of what our account may do there.

import type { Sql } from './database.ts'

export interface ServerFacts {
  /** Such as 18.1, and the same as 180001. */
  version: string
  versionNumber: number
  account: string
  database: string
  /** A copy that takes no writing, or a database that was set so. */
  readOnly: boolean
  /** What the schemas that were asked about lack: the right to make one that is missing, or to make tables in one that is there. */
  closed: { schema: string; missing: boolean }[]
  /** Connections that the account could still open. */
  freeConnections: number
}

/** @param schemas those that are to be made or used */
export async function serverFacts(sql: Sql, schemas: readonly string[]): Promise<ServerFacts> {
  const { rows } = await sql.query<ServerFacts>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS "versionNumber",
       current_user AS account, current_database() AS database,
       pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS "readOnly",
       (SELECT coalesce(json_agg(json_build_object('schema', name, 'missing', n.oid IS NULL)), '[]')
        FROM unnest($1::text[]) name LEFT JOIN pg_namespace n ON n.nspname = name
        WHERE NOT CASE WHEN n.oid IS NULL THEN has_database_privilege(current_database(), 'CREATE')
                       ELSE has_schema_privilege(n.oid, 'CREATE') AND has_schema_privilege(n.oid, 'USAGE') END) AS closed,
       -- The least of the server's room, the account's and the database's. -1 is no limit. pg_stat_database shows its numbers to everybody.
       least(
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true)::int, 0) - (SELECT sum(numbackends) FROM pg_stat_database),
         (SELECT rolconnlimit - (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user)
          FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0),
         (SELECT datconnlimit - (SELECT sum(numbackends) FROM pg_stat_database WHERE datname = current_database())
          FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0))::int AS "freeConnections"`,
    [schemas],
  )
  return rows[0] as ServerFacts
}

/** How many runs the ledger holds; it must have been migrated. */
export async function countRuns(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ runs: number }>('SELECT count(*) AS runs FROM run')
  return rows[0]?.runs ?? 0
}
