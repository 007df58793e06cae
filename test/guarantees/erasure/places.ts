// Every place in which a person may be left: each column of each table, the planner's samples, Redis, and all files of a
// folder. Each answers the names of a canary's values that it holds.

import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { type Canary, canaryIn } from './canary.ts'

/** The names of the values that were found, by place. Places without any are left out. */
export type Found = Record<string, string[]>

interface Table {
  name: string
  columns: string[]
  /** What is selected: each column as text, or as bytes if it holds bytes. */
  selected: string
}

export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

/** Searches each column of each table, view and materialized view, and the planner's samples. */
export async function searchDatabase(client: pg.Client, canary: Canary): Promise<Found> {
  const { rows: tables } = await client.query<Table>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns,
       string_agg(format(CASE format_type(a.atttypid, NULL) WHEN 'bytea' THEN '%I' ELSE '%I::text' END, a.attname), ', ' ORDER BY a.attnum) AS selected
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE n.nspname LIKE 'credsync%' AND c.relkind IN ('r', 'p', 'm', 'S') AND a.attnum > 0 AND NOT a.attisdropped
     GROUP BY 1 ORDER BY 1`,
  )
  const found: Found = {}
  for (const { name, columns, selected } of tables) {
    const { rows } = await client.query<(Buffer | string | null)[]>({
      text: `SELECT ${selected} FROM ${name}`,
      rowMode: 'array',
    })
    for (const [at, column] of columns.entries())
      note(
        found,
        `${name.replace(/^credsync\./, '')}.${column}`,
        rows.map((row) => row[at] ?? null),
        canary,
      )
  }
  const { rows: samples } = await client.query<{ name: string; value: string }>(
    `SELECT 'samples of ' || tablename || '.' || attname AS name, concat_ws(' ', most_common_vals::text, histogram_bounds::text, most_common_elems::text) AS value FROM pg_stats
     WHERE schemaname LIKE 'credsync%'`,
  )
  for (const { name, value } of samples) note(found, name, [value], canary)
  return found
}

/** Searches all keys of a server. */
export async function searchRedis(url: string, canary: Canary): Promise<Found> {
  const redis = new Redis(url)
  const found: Found = {}
  try {
    for (const key of await redis.keys('*')) {
      const dumped = await redis.dumpBuffer(key)
      note(found, `Redis ${key}`, [key, dumped, JSON.stringify(await contentOf(redis, key))], canary)
    }
  } finally {
    redis.disconnect()
  }
  return found
}

// A dump packs what is long.
async function contentOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key)
    case 'hash':
      return redis.hgetall(key)
    case 'list':
      return redis.lrange(key, 0, -1)
    case 'set':
      return redis.smembers(key)
    case 'zset':
      return redis.zrange(key, '0', '-1')
    case 'stream':
      return redis.xrange(key, '-', '+')
    default:
      return null
  }
}

/** Searches names and contents of all files, except of some. */
export async function searchFolder(
  folder: string,
  canary: Canary,
  except: ReadonlySet<string> = new Set(),
): Promise<Found> {
  const found: Found = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || except.has(path)) continue
    note(found, relative(folder, path), [entry.name, await readFile(path)], canary)
  }
  return found
}

function note(found: Found, place: string, values: readonly (Buffer | string | null)[], canary: Canary): void {
  const texts = values.filter((value) => typeof value === 'string')
  const names = new Set([
    ...canaryIn(Buffer.from(texts.join('\n')), canary),
    ...values.flatMap((value) => (Buffer.isBuffer(value) ? canaryIn(value, canary) : [])),
  ])
  if (names.size > 0) found[place] = [...names].toSorted()
}
