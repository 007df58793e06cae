// Our connections do not depend on what a role, a database or a server sets: what can be set is set, the rest is refused.

import { expect, test } from 'vitest'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import { misfitsOf, requireSuitable } from '#src/platform/database/require-suitable.ts'
import { openQueuePool } from '#src/platform/queue/queue-connection.ts'
import { describeWithDatabase, emptyDatabase, onServer } from '#test/support/database.ts'

/** Values that are unlike ours, and what ours show. */
const contrary = [
  ['jit', 'on', 'off'],
  ['max_parallel_workers_per_gather', '4', '0'],
  ['plan_cache_mode', 'force_generic_plan', 'auto'],
  ['enable_indexscan', 'off', 'on'],
  ['enable_nestloop', 'off', 'on'],
  ['datestyle', 'German, DMY', 'ISO, MDY'],
  ['intervalstyle', 'sql_standard', 'postgres'],
  ['timezone', 'Asia/Tokyo', 'UTC'],
  ['bytea_output', 'escape', 'hex'],
  ['extra_float_digits', '-3', '1'],
  ['standard_conforming_strings', 'off', 'on'],
  ['transform_null_equals', 'on', 'off'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['default_transaction_deferrable', 'on', 'off'],
  ['row_security', 'on', 'off'],
  ['client_encoding', 'latin1', 'UTF8'],
  ['search_path', 'public', 'credsync'],
  ['idle_in_transaction_session_timeout', '1s', '1min'],
  ['idle_session_timeout', '1s', '0'],
  ['lock_timeout', '1s', '30s'],
  ['statement_timeout', '1s', '5min'],
] as const

const nameIn = (url: string) => new URL(url).pathname.slice(1)

async function databaseWith(settings: readonly (readonly [string, string, ...unknown[]])[]) {
  const created = await emptyDatabase()
  const quote = (value: string) => (value.includes(',') ? value : `'${value}'`)
  for (const [name, value] of settings)
    await onServer(`ALTER DATABASE ${nameIn(created.url)} SET ${name} = ${quote(value)}`)
  return created
}

async function suitability(url: string): Promise<string> {
  await using database: Database = openDatabase(url, { connections: 1 })
  return await requireSuitable(database).then(
    () => 'suitable',
    (error: Error) => error.message,
  )
}

describeWithDatabase('a database that is set up otherwise', () => {
  test('gives the connections of the ledger and of the queue what their statements assume', async () => {
    await using created = await databaseWith(contrary)
    const names = contrary.map(([name]) => name)
    const sql = 'SELECT current_setting(name) AS shown FROM unnest($1::text[]) WITH ORDINALITY t(name, at) ORDER BY at'
    await using database = openDatabase(created.url, { connections: 1 })
    const { rows } = await database.query<{ shown: string }>(sql, [names])
    expect(rows.map(({ shown }, at) => [names[at], shown])).toEqual(contrary.map(([name, , ours]) => [name, ours]))
    const { pool } = openQueuePool({ connectionString: created.url, schema: 'credsync', max: 1 })
    try {
      expect((await pool.query(sql, [names])).rows).toEqual(rows)
    } finally {
      await pool.end()
    }
  })

  test('is suitable nevertheless, but not if the rules of the ledger are off in it', async () => {
    await using set = await databaseWith(contrary)
    expect(await suitability(set.url)).toBe('suitable')
    await using without = await databaseWith([['session_replication_role', 'replica']])
    expect(await suitability(without.url)).toMatch(
      /^session_replication_role is replica, .* SET session_replication_role = origin\.$/,
    )
  })

  test.each(['SQL_ASCII', 'LATIN1'])(
    'is refused with the encoding %s, before it has any of our tables',
    async (encoding) => {
      await using template = await emptyDatabase()
      const name = `${nameIn(template.url)}_x`
      await onServer(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`)
      const url = new URL(template.url)
      url.pathname = `/${name}`
      try {
        expect(await suitability(url.href)).toMatch(RegExp(`has the encoding ${encoding}, .* ENCODING 'UTF8'`))
      } finally {
        await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
      }
    },
  )
})

test('a pooler that drops our settings is named, and so is a timeout that ends long transactions', () => {
  const fine = { account: 'ada', encoding: 'UTF8', path: 'credsync', role: 'origin', timeout: null }
  expect(misfitsOf(fine)).toEqual([])
  expect(misfitsOf({ ...fine, timeout: '0' })).toEqual([])
  expect(misfitsOf({ ...fine, path: '"$user", public', timeout: '60000' })).toEqual([
    expect.stringMatching(/PgBouncer, take options out of ignore_startup_parameters/),
    expect.stringMatching(/^transaction_timeout is 60000 ms, .* ALTER ROLE ada SET transaction_timeout = 0\.$/),
  ])
})
