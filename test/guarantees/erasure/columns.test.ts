// The search notices each personal column that is not emptied: of the inventory, one column after the other gets back a
// value that it had before somebody was forgotten.

import type pg from 'pg'
import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { type PersonalColumn, personalColumns } from '#test/support/personal-columns.ts'
import { canaryIn, gone } from './canary.ts'
import { openClient, searchDatabase } from './places.ts'
import { forgetCompletely, openScene, playScene } from './scenes.ts'

const tables = [...new Set(personalColumns.map(({ table }) => table))]

/** Keeps each version of each row, because some are there for moments only: rows are staged, images are sent. */
const keepVersions = `
  CREATE SCHEMA versions;
  CREATE FUNCTION versions.keep() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN EXECUTE format('INSERT INTO versions.%I SELECT ($1).*', TG_TABLE_NAME) USING NEW; RETURN NULL; END $$;
  ${tables
    .map(
      (table) => `CREATE TABLE versions.${table} (LIKE credsync.${table});
        CREATE TRIGGER keep AFTER INSERT OR UPDATE ON credsync.${table} FOR EACH ROW EXECUTE FUNCTION versions.keep();`,
    )
    .join('\n')}`

const own = `(SELECT id FROM issuance WHERE recipient->>'Email' = $2)`
/**
 * Writes values where a service or a learning system might quote the person, which they do not do in the scene, and where
 * a workbook might have a number.
 */
const quotes = [
  `UPDATE archived_certificate SET file = NULL, problem = $1 WHERE issuance_id IN ${own}`,
  `UPDATE attempt SET words = $1 WHERE id IN (SELECT attempt_id FROM attempt_item WHERE issuance_id IN ${own})`,
  `UPDATE inbound_event SET headers = headers || jsonb_build_object('x-user', $1::text) WHERE strpos(convert_from(body, 'UTF8'), $2) > 0`,
  `UPDATE issuance SET reason = $1, evidence = jsonb_build_object('words', $1::text) WHERE id IN ${own}`,
  `UPDATE history SET evidence = coalesce(evidence, '{}') || jsonb_build_object('words', $1::text) WHERE issuance_id IN ${own}`,
  `UPDATE revocation SET words = $1 WHERE issuance_id IN ${own}`,
  // Whatever is verified is looked at again at once, which would take the value away before the erasure does.
  `UPDATE delivery SET state = 'failed', problem = $1 WHERE issuance_id IN ${own}`,
  ...['run_row', 'versions.staged_row'].map((table) => `UPDATE ${table} SET raw = to_jsonb($1::text) WHERE cells ? $2`),
  ...['run_row', 'versions.staged_row'].map(
    (table) =>
      `UPDATE ${table} SET violations = jsonb_set(violations, '{0,sentence}', to_jsonb($1::text)) WHERE cells ? $2 AND violations IS NOT NULL`,
  ),
  `UPDATE run_row SET reason = $1 WHERE cells ? $2`,
]

async function quote(client: pg.Client): Promise<void> {
  await client.query('BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL search_path = credsync')
  for (const statement of quotes) {
    const { rowCount } = await client.query(statement, [gone.first, gone.email])
    if (rowCount === 0) throw new Error(`Nothing to write into: ${statement}`)
  }
  for (const table of tables) await client.query(`INSERT INTO versions.${table} SELECT * FROM ${table}`)
  await client.query('COMMIT')
}

/** A version of a row in which the column has a value of the person. */
async function versionWith(client: pg.Client, { table, column }: PersonalColumn): Promise<string | undefined> {
  const { rows } = await client.query<{ at: string; value: string }>(
    `SELECT ctid::text AS at, "${column}"::text AS value FROM versions.${table} WHERE "${column}" IS NOT NULL`,
  )
  return rows.find(({ value }) => canaryIn(Buffer.from(value), gone).length > 0)?.at
}

/** Gives one row back what it had in one column. A row that is gone comes back without its other personal columns. */
async function restore(client: pg.Client, { table, column }: PersonalColumn, version: string): Promise<void> {
  const { rows: keys } = await client.query<{ key: string }>(
    `SELECT a.attname AS key FROM pg_index x JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = ANY(x.indkey)
     WHERE x.indrelid = $1::regclass AND x.indisprimary`,
    [`credsync.${table}`],
  )
  const isSame = keys.map(({ key }) => `t."${key}" = v."${key}"`).join(' AND ')
  const { rowCount } = await client.query(
    `UPDATE credsync.${table} t SET "${column}" = v."${column}" FROM versions.${table} v WHERE v.ctid = $1 AND ${isSame}`,
    [version],
  )
  if (rowCount) return
  const others = personalColumns.filter((each) => each.table === table && each.column !== column)
  const empty = others.map((each) => [each.column, each.column === 'cells' ? [] : null])
  await client.query(
    `INSERT INTO credsync.${table}
     SELECT r.* FROM versions.${table} v, jsonb_populate_record(NULL::credsync.${table}, to_jsonb(v) || $2::jsonb) r WHERE v.ctid = $1`,
    [version, JSON.stringify(Object.fromEntries(empty))],
  )
}

/** Searches after a sabotage, and undoes it. */
async function foundAfter(client: pg.Client, sabotage: () => Promise<void>): Promise<string[]> {
  await client.query('BEGIN')
  try {
    await client.query('SET LOCAL session_replication_role = replica')
    await sabotage()
    return Object.keys(await searchDatabase(client, gone))
  } finally {
    await client.query('ROLLBACK')
  }
}

describeWithDatabase('each personal column', () => {
  describeWithRedis('of somebody who is forgotten', ({ url }) => {
    test('had a value, has none, and is found if it gets it back', async () => {
      await using scene = await openScene(url)
      const client = await openClient(scene.campus.world.databaseUrl)
      try {
        await client.query(keepVersions)
        await playScene(scene)
        await quote(client)
        await forgetCompletely(scene, gone)
        expect(await foundAfter(client, async () => {})).toEqual([])
        const found: Record<string, string[]> = {}
        for (const each of personalColumns) {
          const version = await versionWith(client, each)
          found[`${each.table}.${each.column}`] = version
            ? await foundAfter(client, () => restore(client, each, version))
            : ['had no value']
        }
        expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, [name]])))
        expect(Object.keys(found).length).toBeGreaterThan(20)
      } finally {
        await client.end()
      }
    })
  })
})
