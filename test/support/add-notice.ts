// Writes notices, and the changes and messages about them, into the ledger directly.

import type { Database } from '#src/platform/database/database.ts'

async function add(database: Database, table: string, columns: Record<string, unknown>): Promise<unknown> {
  const names = Object.keys(columns)
  const { rows } = await database.query<{ id: unknown }>(
    `INSERT INTO ${table} (${names.join()}) VALUES (${names.map((_, at) => `$${at + 1}`).join()}) RETURNING id`,
    Object.values(columns),
  )
  return rows[0]?.id
}

const longAgo = new Date('2026-01-01T00:00:00Z')

/** Adds an open notice with these columns. @returns its id */
export const addNotice = (database: Database, key: string, more: Record<string, unknown> = {}) =>
  add(database, 'notice', {
    ...{ environment: 'development', key, kind: 'person', facts: {} },
    ...{ since: longAgo, opened_at: longAgo, reminded_at: longAgo, ...more },
  }) as Promise<number>

/** Adds a message to `ops` that waits, with these columns. @returns its id */
export const addMessage = (database: Database, more: Record<string, unknown> = {}) =>
  add(database, 'notice_message', {
    ...{ environment: 'development', recipient: 'ops', words: {}, created_at: longAgo, due_at: longAgo, ...more },
  }) as Promise<string>

/** Adds what `ops` is to read about a notice, with these columns. @returns its id */
export const addChange = (database: Database, notice: number, more: Record<string, unknown> = {}) =>
  add(database, 'notice_change', {
    ...{ notice_id: notice, recipient: 'ops', change: 'opened', facts: {}, at: longAgo, ...more },
  }) as Promise<number>
