// Reads a PostgreSQL server's version, settings and free connections, the privileges of our account, and the number of
// runs in the ledger.

import type { Sql } from './database.ts'

export interface ServerFacts {
  /** For example 18.1, for which `versionNumber` is 180001. */
  version: string
  versionNumber: number
  account: string
  database: string
  /** A standby that accepts no writes, or a database set to read-only. */
  readOnly: boolean
  /**
   * The schemas in which our account lacks a right: to create the schema if it is missing, to create tables in it, or
   * to change those tables in it that belong to `owner`.
   */
  closed: { schema: string; lacks: 'schema' | 'tables' | 'ownership'; owner: string | null }[]
  /** How many more connections the account can open. */
  freeConnections: number
}

/**
 * Reads the facts in one query.
 * @param schemas the schemas that will be created or used
 */
export async function serverFacts(sql: Sql, schemas: readonly string[]): Promise<ServerFacts> {
  const { rows } = await sql.query<ServerFacts>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS "versionNumber",
       current_user AS account, current_database() AS database,
       pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS "readOnly",
       (SELECT coalesce(json_agg(json_build_object('schema', name, 'lacks', lacks, 'owner', owner)), '[]')
        FROM unnest($1::text[]) name LEFT JOIN pg_namespace n ON n.nspname = name, LATERAL (
          SELECT 'schema' AS lacks, NULL AS owner
          WHERE n.oid IS NULL AND NOT has_database_privilege(current_database(), 'CREATE')
          UNION ALL
          SELECT 'tables', NULL WHERE NOT (has_schema_privilege(n.oid, 'CREATE') AND has_schema_privilege(n.oid, 'USAGE'))
          UNION ALL
          SELECT DISTINCT 'ownership', pg_get_userbyid(relowner)::text FROM pg_class
          WHERE relnamespace = n.oid AND relkind = 'r' AND NOT pg_has_role(relowner, 'USAGE')) right_) AS closed,
       -- The smallest of what the server, the account and the database allow. -1 means no limit. Every account may
       -- read the numbers in pg_stat_database.
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

/** Returns which of the named settings are off, for our account in this database. */
export async function settingsOff(sql: Sql, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = 'off' ORDER BY name`,
    [names],
  )
  return rows.map(({ name }) => name)
}

/** Counts the runs in the ledger, whose schema must be up to date. */
export async function countRuns(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ runs: number }>('SELECT count(*) AS runs FROM run')
  return rows[0]?.runs ?? 0
}
