// When a world has come to rest, and what has to be done so that it can.

import type { World } from '#test/support/world.ts'

interface Standing {
  /** Runs not read or not settled, results not told, certificates not archived, revocations and corrections under way. */
  unfinished: number
  unsent: number
  /** Rows of unknown outcome that a reading of the report did not show. */
  doubted: number
}

/** A worker that is alive has written its outcome down by then: passDoor's margin, in seconds. */
const marginSeconds = 15

export async function standing({ app }: World): Promise<Standing> {
  const { rows } = await app.database.query<Standing>(
    `SELECT (SELECT count(*) FROM run WHERE state = 'received' OR settled_at IS NULL)
              + (SELECT count(*) FROM write_back WHERE told < wanted)
              + (SELECT count(*) FROM issuance i JOIN archive a ON a.pipeline = i.pipeline
                 WHERE i.state = 'issued' AND i.archive_due_at IS NOT NULL)
              + (SELECT count(*) FROM revocation WHERE correction IS NOT NULL OR state IN ('wanted', 'sending', 'unconfirmed', 'accepted'))
              AS unfinished,
            (SELECT count(*) FROM issuance WHERE state IN ('pending', 'sending')) AS unsent,
            (SELECT count(*) FROM issuance WHERE state = 'unconfirmed' AND looks > 0) AS doubted`,
  )
  return rows[0] as Standing
}

/**
 * Where several workers may be alive, and for a revocation always, a dead one's calls are lost 15 s after their deadline. The harness knows that it is dead, and
 * takes those off; the deadline itself is waited for.
 */
export async function takeOffMargin({ app }: World): Promise<void> {
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

/** A course that is not ready rests for five minutes, and a revocation that cannot be looked for half a one; here they pass at once. */
export async function endPauses({ app }: World): Promise<void> {
  await app.database.query(
    `UPDATE course SET paused_until = clock_timestamp() WHERE paused_until > clock_timestamp() + interval '10 seconds'`,
  )
  await app.database.query(
    `UPDATE revocation SET due_at = clock_timestamp() WHERE due_at > clock_timestamp() + interval '10 seconds'`,
  )
}
