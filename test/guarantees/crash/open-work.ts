// Reads how much work is left in a world, and changes times in the database so that waiting work can finish sooner.

import type { World } from '#test/support/world.ts'

interface OpenWork {
  /**
   * Runs not read or settled, results not written, certificates not archived, and open revocations and corrections.
   */
  unfinished: number
  unsent: number
  /** Rows of unknown outcome that a scan of the report did not show. */
  doubted: number
}

/** Margin after a claim's deadline, in seconds, within which a live worker has written the outcome. */
const marginSeconds = 15

export async function readOpenWork({ app }: World): Promise<OpenWork> {
  const { rows } = await app.database.query<OpenWork>(
    `SELECT (SELECT count(*) FROM run WHERE state = 'received' OR settled_at IS NULL)
              + (SELECT count(*) FROM write_back WHERE written < wanted)
              + (SELECT count(*) FROM issuance i JOIN archive a ON a.pipeline = i.pipeline
                 WHERE i.state = 'issued' AND i.archive_due_at IS NOT NULL)
              + (SELECT count(*) FROM revocation WHERE correction IS NOT NULL OR state IN ('wanted', 'sending', 'unconfirmed', 'accepted'))
              AS unfinished,
            (SELECT count(*) FROM issuance WHERE state IN ('pending', 'sending')) AS unsent,
            (SELECT count(*) FROM issuance WHERE state = 'unconfirmed' AND looks > 0) AS doubted`,
  )
  return rows[0] as OpenWork
}

/**
 * With several workers, and for revocations always, calls of a dead worker count as lost 15 s after their deadline. In
 * the test the worker is certainly dead, so those 15 s are skipped, but not the deadline itself.
 */
export async function skipDeadlineMargin({ app }: World): Promise<void> {
  await app.database.query(
    `UPDATE attempt SET deadline_at = deadline_at - make_interval(secs => $1)
     WHERE phase = 'sending' AND deadline_at > sending_at + make_interval(secs => $1)`,
    [marginSeconds],
  )
  await app.database.query(
    `UPDATE revocation SET deadline_at = deadline_at - make_interval(secs => $1)
     WHERE state = 'sending' AND deadline_at > sending_at + make_interval(secs => $1)`,
    [marginSeconds],
  )
}

/**
 * Ends pauses immediately: five minutes for a course that is not ready, half a minute for a revocation that cannot be
 * checked.
 */
export async function endPauses({ app }: World): Promise<void> {
  await app.database.query(
    `UPDATE course SET paused_until = clock_timestamp() WHERE paused_until > clock_timestamp() + interval '10 seconds'`,
  )
  await app.database.query(
    `UPDATE revocation SET due_at = clock_timestamp() WHERE due_at > clock_timestamp() + interval '10 seconds'`,
  )
}
