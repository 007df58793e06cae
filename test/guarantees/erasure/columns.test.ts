// The search notices each personal column that is not emptied: of the inventory, one column after the other gets back what
// it had before somebody was forgotten.

import type pg from 'pg'
import { expect, test } from 'vitest'
import { personalColumns } from '#src/ledger/erasure/inventory/inventory.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { gone } from './canary.ts'
import { openClient, searchDatabase } from './places.ts'
import { forgetCompletely, openScene, playScene } from './scenes.ts'

/**
 * Columns that hold nothing of a person whose lists went well: rows are staged for moments, images are deleted once they
 * are issued, and values in messages are masked. A value is written into these.
 */
const emptyBefore = [
  'archived_certificate.problem',
  ...['attempt.words', 'completion.learner', 'delivery.headers', 'history.evidence', 'image.bytes'],
  ...['issuance.evidence', 'issuance.reason', 'revocation.correction', 'revocation.words', 'run_row.raw'],
  ...['run_row.reason', 'run_row.violations'],
  ...['staged_row.cells', 'staged_row.raw', 'staged_row.recipient', 'staged_row.violations', 'tell.problem'],
]

const columns = personalColumns()
const tables = [...new Set(columns.map(({ table }) => table))]

/** Runs a sabotage, looks, and undoes it. */
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

/** Gives the column back what it had, in all rows. */
async function restore(client: pg.Client, table: string, column: string): Promise<void> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT a.attname AS key FROM pg_index x JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = ANY(x.indkey)
     WHERE x.indrelid = $1::regclass AND x.indisprimary`,
    [`credsync.${table}`],
  )
  const isSame = rows.map(({ key }) => `t."${key}" = b."${key}"`).join(' AND ')
  await client.query(
    `UPDATE credsync.${table} t SET "${column}" = b."${column}" FROM public.before_${table} b WHERE ${isSame}`,
  )
}

/** Writes a value into a column in which there was none. */
async function write(client: pg.Client, table: string, column: string): Promise<void> {
  const value = `CASE pg_typeof(t."${column}")::text WHEN 'bytea' THEN quote_literal(convert_to($1, 'UTF8')::text) WHEN 'jsonb' THEN quote_literal(to_jsonb($1::text)::text) ELSE quote_literal($1) END`
  if (table === 'staged_row')
    await client.query(
      `INSERT INTO credsync.staged_row (run_id, row_number, cells) SELECT id, 1, '[]' FROM credsync.run LIMIT 1`,
    )
  if (table === 'image')
    await client.query(
      `INSERT INTO credsync.image (sha256, bytes, type) VALUES (sha256('x'), convert_to($1, 'UTF8'), 'png')`,
      [gone.first],
    )
  const { rows } = await client.query<{ literal: string }>(
    `SELECT ${value} AS literal FROM credsync.${table} t LIMIT 1`,
    [gone.first],
  )
  // Only a certificate without a file has a problem.
  if (table === 'archived_certificate') await client.query('UPDATE credsync.archived_certificate SET file = NULL')
  await client.query(`UPDATE credsync.${table} SET "${column}" = ${rows[0]?.literal}`)
}

describeWithDatabase('each personal column', () => {
  describeWithRedis('of somebody who is forgotten', ({ url }) => {
    test('is found if it is not emptied', async () => {
      await using scene = await openScene(url)
      await playScene(scene)
      const client = await openClient(scene.campus.world.databaseUrl)
      try {
        const before = await searchDatabase(client, gone)
        for (const table of tables) await client.query(`CREATE TABLE public.before_${table} AS TABLE credsync.${table}`)
        await forgetCompletely(scene, gone)
        expect(await foundAfter(client, async () => {})).toEqual([])
        const wrong: string[] = []
        for (const { table, column } of columns) {
          const name = `${table}.${column}`
          const sabotage = name in before ? restore : write
          if (name in before === emptyBefore.includes(name))
            wrong.push(`${name}: ${name in before ? 'had' : 'had no'} value`)
          const found = await foundAfter(client, () => sabotage(client, table, column))
          if (found.join() !== name) wrong.push(`${name}: found in ${found.join(', ') || 'nothing'}`)
        }
        expect(wrong).toEqual([])
      } finally {
        await client.end()
      }
    })
  })
})
