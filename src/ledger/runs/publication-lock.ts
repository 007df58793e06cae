// The lock of the publications of a course. Takes advisory locks of the database within the caller's transaction.

import type { Sql } from '#src/platform/database/database.ts'

/**
 * Waits until nothing of these courses is being published, and lets nothing be published until the transaction ends.
 * A publication takes it, because two files that name the same people in different orders would deadlock. So does the
 * request of an erasure, before it looks for the rows of the person: a list that was published before is then seen by
 * the request, and a later one sees the erasure. Publishing a million rows takes minutes, so no timeout applies.
 */
export async function lockPublications(sql: Sql, courses: readonly string[]): Promise<void> {
  await sql.query('SET LOCAL statement_timeout = 0')
  await sql.query('SET LOCAL lock_timeout = 0')
  // Always in the same order, so that two erasures with the same courses do not wait for each other.
  for (const course of [...new Set(courses)].sort())
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockOf(course)])
}

/** @returns false if something of one of these courses is being published: the caller tries again later */
export async function tryLockPublications(sql: Sql, courses: readonly string[]): Promise<boolean> {
  for (const course of [...new Set(courses)].sort()) {
    const { rows } = await sql.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
      [lockOf(course)],
    )
    if (!rows[0]?.locked) return false
  }
  return true
}

const lockOf = (course: string) => `credsync:publish:${course}`
