// What a verb changed: the rows of all tables before and after it, compared, as lines that can be read and kept.

import type { Database } from '#src/platform/database/database.ts'
import { toEnvironment } from './copies.ts'

type Values = Record<string, unknown>

interface StoredRow {
  table: string
  key: string
  values: Values
}

/** All rows of the ledger by table and primary key. */
export type Content = ReadonlyMap<string, StoredRow>

export interface KeptContent {
  /** These tables as they were kept, and as they are now. */
  changesOf(tables: readonly string[]): Promise<[before: Content, after: Content]>
}

/** Reads all tables as they are kept. */
export async function openContent(database: Database): Promise<KeptContent> {
  const { rows } = await database.query<{ table: string; key: string | null }>(
    `SELECT c.relname AS table,
            (SELECT string_agg(format('%I::text', a.attname), ' || ''/'' || ' ORDER BY array_position(i.indkey::int[], a.attnum::int))
             FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey) WHERE i.indrelid = c.oid AND i.indisprimary) AS key
     FROM pg_class c WHERE c.relnamespace = 'credsync'::regnamespace AND c.relkind = 'r' AND c.relname NOT IN ('migration', 'ledger')`,
  )
  const read = async ({ table, key }: (typeof rows)[number]): Promise<Content> => {
    const { rows: stored } = await database.query<StoredRow>(
      `SELECT '${table}' AS table, ${key ?? 't::text'} AS key, to_jsonb(t) AS values FROM credsync.${table} t ORDER BY length(${key ?? 't::text'}), key`,
    )
    return new Map(stored.map((row) => [`${table} ${row.key}`, row]))
  }
  const before = new Map(await Promise.all(rows.map(async (row) => [row.table, await read(row)] as const)))
  return {
    async changesOf(tables) {
      const written = rows.filter(({ table }) => tables.includes(table))
      const after = await Promise.all(written.map(read))
      const joined = (contents: Content[]) => new Map(contents.flatMap((content) => [...content]))
      return [joined(written.map(({ table }) => before.get(table) as Content)), joined(after)]
    },
  }
}

/** Whether a row is one of the copies in the other environment. */
function isCopy({ values }: StoredRow, environment: string): boolean {
  const { ids, runs } = toEnvironment(environment)
  if ('environment' in values) return values.environment === environment
  return Object.entries(values).some(
    ([name, value]) =>
      (/(^|_)id$/.test(name) && typeof value === 'number' && value >= ids) ||
      (/(^|_)id$/.test(name) && typeof value === 'string' && value[runs.at - 1] === runs.character),
  )
}

/** One line for each row that differs, of the own environment and of the other one. Pure. */
export function differencesOf(before: Content, after: Content, other: string) {
  const [own, others]: [string[], string[]] = [[], []]
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)]
    const line = lineOf(name, old?.values, now?.values)
    if (!line) continue
    if (isCopy((old ?? now) as StoredRow, other)) others.push(line)
    else own.push(line)
  }
  return { own, others }
}

function lineOf(name: string, old: Values | undefined, now: Values | undefined): string | null {
  const show = (value: unknown) => JSON.stringify(value)
  if (!old) {
    const values = Object.fromEntries(Object.entries(now ?? {}).filter(([, value]) => value !== null))
    const table = name.split(' ')[0] ?? ''
    if (!['history', 'delivery', 'write_back'].includes(table)) return `${name} added: ${show(values)}`
    // In which order a statement changes its rows, and so the order of their lines, is left to PostgreSQL.
    const { id: _, ...line } = values
    return `${table} added: ${show(line)}`
  }
  if (!now) return `${name} removed`
  const changed = Object.keys(now).filter((column) => show(old[column]) !== show(now[column]))
  if (changed.length === 0) return null
  return `${name}: ${changed.map((column) => `${column} ${show(old[column])} → ${show(now[column])}`).join(', ')}`
}
