// Copies the rows of a ledger within it: to another pipeline and course, and to another environment. What a verb must
// not touch or show is then as like what it must as it can be.

import type { Database } from '#src/platform/database/database.ts'
import { otherCourse } from '#test/support/domain-objects.ts'

export interface Copy {
  /** The name of the function in the database: `kept.NAME()`. */
  name: string
  /** Added to the ids of the copies. */
  ids: number
  /** The character of the ids of copied runs that random ids never have at that place, counted from one. */
  runs: { character: string; at: number }
  /** SQL for columns that get another value, where `%` is the column. */
  columns: Readonly<Record<string, string>>
  /** Tables that are not copied. */
  without: readonly string[]
}

/** Tables without rows of an environment. */
const ofTheLedger = ['ledger', 'migration', 'lifecycle_step', 'image', 'course_probe', 'service_address']

export const toEnvironment = (environment: string): Copy => ({
  ...{ name: 'copy_to_environment', ids: 1_000_000, runs: { character: 'f', at: 20 }, without: ofTheLedger },
  columns: { environment: `'${environment}'`, received_at: `% + interval '2 microseconds'` },
})

/** Other people and items, in another pipeline and course of the same environment. */
export const toPipeline: Copy = {
  ...{ name: 'copy_to_pipeline', ids: 1_000, runs: { character: 'e', at: 15 } },
  columns: {
    pipeline: `'autumn'`,
    course_uuid: `CASE WHEN % IS NOT NULL THEN '${otherCourse}'::uuid END`,
    // Two rows of one moment have no order.
    received_at: `% + interval '1 microsecond'`,
    due_at: `% + interval '1 microsecond'`,
    wanted_at: `% - interval '1 microsecond'`,
    system: `% || ' 2'`,
    item_key: `% || ' 2'`,
    fingerprint: `% || ' 2'`,
    credential_id: `% || ' 2'`,
    entity_uuid: `% || ' 2'`,
    learner: `% || ' 2'`,
    adopted_as: `% || ' 2'`,
    adopts: `% || ' 2'`,
    certificate_name: `% || ' 2'`,
    hash: 'set_byte(%, 0, (get_byte(%, 0) + 1) % 256)',
    identity_hash: 'set_byte(%, 0, (get_byte(%, 0) + 1) % 256)',
  },
  without: [
    ...ofTheLedger,
    ...['claim_counter', 'claim', 'poller', 'credential_watch', 'scan', 'sending_stop', 'worker', 'obstacle'],
    ...['notice', 'notice_change', 'notice_message', 'notice_watch'],
  ],
}

/** Creates the function of a copy. */
export async function createCopy(database: Database, { name, ids, runs, columns, without }: Copy): Promise<void> {
  const { rows } = await database.query<{ table: string; column: string; type: string }>(
    `SELECT c.relname AS table, a.attname AS column, a.atttypid::regtype::text AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'credsync'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL($1) ORDER BY c.relname, a.attnum`,
    [without],
  )
  const expressionOf = ({ column, type }: { column: string; type: string }) => {
    if (columns[column]) return columns[column].replaceAll(/%(?! 256)/g, `"${column}"`)
    if (!/(^|_)id$|^corrects$|^corrected_as$|^open_attempt$/.test(column)) return `"${column}"`
    if (type === 'bigint') return `"${column}" + ${ids}`
    return type === 'uuid'
      ? `overlay("${column}"::text placing '${runs.character}' from ${runs.at})::uuid`
      : `"${column}"`
  }
  const copies = [...Map.groupBy(rows, ({ table }) => table)].map(([table, own]) => {
    const names = own.map(({ column }) => `"${column}"`).join(', ')
    const values = own.map(expressionOf).join(', ')
    return `INSERT INTO credsync.${table} (${names}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM credsync.${table}`
  })
  await database.query(
    `CREATE FUNCTION kept.${name}() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $$ BEGIN ${copies.join(';')}; END $$`,
  )
}

/** Creates `kept.restart()`, which gives the next rows the ids that they would have got now. */
export async function createRestart(database: Database): Promise<void> {
  const { rows } = await database.query<{ name: string; last: string | null }>(
    `SELECT quote_ident(sequencename) AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = 'credsync'`,
  )
  const restarts = rows.map(({ name, last }) => `PERFORM setval('credsync.${name}', ${last ?? 1}, ${last !== null})`)
  await database.query(
    `CREATE FUNCTION kept.restart() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${restarts.join(';')}; END $$`,
  )
}

/**
 * Turns the kept rows around. Restored in the order of their ids, they would come in this order without ORDER BY too.
 */
export async function reverseKept(database: Database): Promise<void> {
  const { rows } = await database.query<{ table: string }>(
    `SELECT relname AS table FROM pg_class WHERE relnamespace = 'kept'::regnamespace AND relkind = 'r'`,
  )
  for (const { table } of rows)
    await database.query(
      `CREATE TABLE kept.reversed AS SELECT * FROM kept.${table} ORDER BY ctid DESC; TRUNCATE kept.${table};
       INSERT INTO kept.${table} SELECT * FROM kept.reversed; DROP TABLE kept.reversed;
       INSERT INTO noted.written VALUES ('${table}')`,
    )
}
