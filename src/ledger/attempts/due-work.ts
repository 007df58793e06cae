// Finds due work for which there is probably no job, so that the queues can be rebuilt from the ledger at any time.
// Taking a piece of work records the time in the database, and it is not enqueued again while its job probably still
// exists.

import type { Sql } from '#src/platform/database/database.ts'
import type { PickPosition, PickPositions } from './pick-positions.ts'
import { isNotPaused } from './prepare.ts'

// A job that has shown no activity for `lostAfterMs` counts as lost and is enqueued again. Running it twice is
// harmless.
const lostBefore = 'clock_timestamp() - make_interval(secs => $2)'

export function workStore(db: Sql, environment: string, lostAfterMs: number, positions: PickPositions) {
  return {
    async takeRunsToRead(): Promise<string[]> {
      // In the order in which they were received, because each list is compared with the previous one. A run that is
      // being published is locked until its last row is written, which takes minutes for a long list.
      const { rows } = await db.query<{ id: string }>(
        `WITH taken AS (
           UPDATE run SET asked_at = clock_timestamp() WHERE id = ANY(ARRAY(
             SELECT id FROM run WHERE environment = $1 AND state = 'received' AND (asked_at IS NULL OR asked_at < ${lostBefore})
             FOR NO KEY UPDATE SKIP LOCKED))
           RETURNING id, received_at)
         SELECT id FROM taken ORDER BY received_at, id`,
        [environment, lostAfterMs / 1_000],
      )
      return rows.map((row) => row.id)
    },
    async takeAttemptsToSend(): Promise<number[]> {
      const { rows } = await db.query<{ id: number }>(
        `UPDATE attempt SET asked_at = clock_timestamp()
         WHERE environment = $1 AND phase = 'prepared' AND (asked_at IS NULL OR asked_at < ${lostBefore})
           AND NOT EXISTS (SELECT FROM claim_counter WHERE environment = $1 AND stopped) RETURNING id`,
        [environment, lostAfterMs / 1_000],
      )
      return rows.map((row) => row.id)
    },
    /** Returns true once for each due time of the poller, and again when its job seems to be lost. */
    async takePoll(): Promise<boolean> {
      const { rowCount } = await db.query(
        `UPDATE poller SET asked_at = clock_timestamp()
         WHERE environment = $1 AND due_at <= clock_timestamp() AND (asked_at IS NULL OR asked_at < ${lostBefore})
           AND (SELECT id FROM issuance WHERE environment = $1 AND state IN ('unconfirmed', 'requested', 'in_progress') ORDER BY state LIMIT 1) IS NOT NULL`,
        [environment, lostAfterMs / 1_000],
      )
      return rowCount > 0
    },
    /** Takes the runs whose results have changed since they were last written. */
    async takeWriteBacks(): Promise<string[]> {
      const { rows } = await db.query<{ id: string }>(
        `UPDATE write_back w SET asked_at = clock_timestamp() FROM run
         WHERE run.id = w.run_id AND run.environment = $1 AND w.written < w.wanted AND (w.asked_at IS NULL OR w.asked_at < ${lostBefore})
         RETURNING run.id`,
        [environment, lostAfterMs / 1_000],
      )
      return rows.map((row) => row.id)
    },
    /**
     * Returns the pipelines with rows that can be sent now. Those with the fewest open batches come first, so that no
     * pipeline has to wait until another one is finished. A search normally starts at the position of its pipeline.
     * When it finds nothing there, the first such search and every twentieth after it start over from the first row.
     */
    async pipelinesWithDueRows(): Promise<string[]> {
      const found = await findPipelines(db, environment, positions.all())
      const again = positions.toSearchFromFirst(found)
      if (again.length === 0) return found
      const kept = new Map([...positions.all()].filter(([pipeline]) => !again.includes(pipeline)))
      const foundNow = await findPipelines(db, environment, kept)
      for (const pipeline of again) if (foundNow.includes(pipeline)) positions.forget(pipeline)
      return foundNow
    },
    /** Returns the pipelines with unsent rows, and the number of these rows. */
    async unsentByPipeline(): Promise<{ pipeline: string; rows: number }[]> {
      const { rows } = await db.query<{ pipeline: string; rows: number }>(
        `SELECT pipeline, count(*) AS rows FROM issuance WHERE environment = $1 AND state = 'pending' GROUP BY pipeline ORDER BY pipeline`,
        [environment],
      )
      return rows
    },
    /**
     * Makes all due work eligible to be enqueued again. Used when the only worker starts, when one of several workers
     * has died while running jobs, and when the queue store has lost its jobs. Work in progress may be enqueued twice,
     * which is harmless. A run that is being published is left out, so that the start of a worker does not wait for it.
     */
    async forgetEnqueued(): Promise<void> {
      await db.query(
        `UPDATE run SET asked_at = NULL WHERE id = ANY(ARRAY(
           SELECT id FROM run WHERE environment = $1 AND asked_at IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED))`,
        [environment],
      )
      await db.query(`UPDATE attempt SET asked_at = NULL WHERE environment = $1 AND phase = 'prepared'`, [environment])
      await db.query('UPDATE poller SET asked_at = NULL WHERE environment = $1', [environment])
      await db.query('UPDATE credential_watch SET asked_at = NULL WHERE environment = $1', [environment])
      await db.query('UPDATE inbox_look SET asked_at = NULL WHERE environment = $1', [environment])
      await db.query('UPDATE revocation SET asked_at = NULL WHERE environment = $1 AND asked_at IS NOT NULL', [
        environment,
      ])
      await db.query(
        'UPDATE write_back SET asked_at = NULL WHERE written < wanted AND run_id IN (SELECT id FROM run WHERE environment = $1)',
        [environment],
      )
    },
  }
}

/** @param positions the positions after which the due rows of some pipelines are searched */
async function findPipelines(
  db: Sql,
  environment: string,
  positions: ReadonlyMap<string, PickPosition>,
): Promise<string[]> {
  // Every pending row belongs to a run that is not settled. So the pipelines are taken from these runs, and each is
  // checked for one due row. This query runs before every batch, so its cost must not grow with the number of waiting
  // rows. statement_timestamp() is constant within the statement, which the index lookup requires.
  const { rows } = await db.query<{ pipeline: string }>(
    `SELECT n.pipeline
     FROM (SELECT DISTINCT pipeline FROM run WHERE environment = $1 AND settled_at IS NULL AND state = 'published' OFFSET 0) n
     LEFT JOIN unnest($2::text[], $3::timestamptz[], $4::bigint[]) AS p(pipeline, due_at, id) USING (pipeline)
     CROSS JOIN LATERAL (
       SELECT FROM issuance i
       WHERE i.environment = $1 AND i.pipeline = n.pipeline AND i.state = 'pending' AND i.due_at <= statement_timestamp() AND ${isNotPaused}
         AND (i.due_at, i.id) > (coalesce(p.due_at, '-infinity'), coalesce(p.id, 0))
       ORDER BY i.due_at, i.id LIMIT 1) due
     ORDER BY (SELECT count(*) FROM attempt a WHERE a.environment = $1 AND a.pipeline = n.pipeline AND a.phase IN ('prepared', 'sending')), n.pipeline`,
    [
      environment,
      [...positions.keys()],
      [...positions.values()].map(({ dueAt }) => dueAt),
      [...positions.values()].map(({ id }) => id),
    ],
  )
  return rows.map((row) => row.pipeline)
}
