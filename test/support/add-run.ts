// Writes a run into the ledger as it may be after years, without the files and rows that led to it.

import type { Database } from '#src/platform/database/database.ts'
import { aCourse } from './domain-objects.ts'
import { withoutTriggers } from './without-triggers.ts'

export const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

/** Adds a run of `spring` that is published, with these columns. @returns its id */
export async function addRun(database: Database, name: string, more: Record<string, unknown> = {}): Promise<string> {
  const columns: Record<string, unknown> = {
    ...{ id: crypto.randomUUID(), environment: 'development', pipeline: 'spring', course_uuid: aCourse },
    ...{ source_name: name, source_path: `/in/${name}`, source_sha256: name, state: 'published' },
    ...(more.state === 'braked' && { braked_at: new Date(), would_accept: 1, braked_because: 'Many.' }),
    ...more,
  }
  const names = Object.keys(columns)
  await withoutTriggers(
    database,
    `INSERT INTO run (${names.join()}) VALUES (${names.map((_, at) => `$${at + 1}`).join()})`,
    Object.values(columns),
  )
  return columns.id as string
}
