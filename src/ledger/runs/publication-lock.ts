// Locks the publications of courses, so that only one list of a course is published at a time. Takes advisory locks in
// the database within the caller's transaction.

import type { Sql } from '#src/platform/database/database.ts'

/**
 * Waits until no list of these courses is being published, and prevents publications until the transaction ends. A
 * publication takes the lock, because two files with the same people in different orders would deadlock. The request
 * for an erasure also takes it before it searches for the person's rows: it then sees every list that was published
 * before, and every later publication sees the erasure. Publishing a million rows takes minutes, so no timeout applies.
 */
export async function lockPublications(sql: Sql, courses: readonly string[]): Promise<void> {
  await sql.query('SET LOCAL statement_timeout = 0')
  await sql.query('SET LOCAL lock_timeout = 0')
  // The order is always the same, so that two erasures with the same courses do not wait for each other.
  for (const course of [...new Set(courses)].sort())
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockOf(course)])
}

/** @returns false if a list of one of these courses is being published, in which case the caller tries again later */
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
