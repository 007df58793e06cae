// What is due and has no live job: the ledger's own to-do list, from which the queues can be rebuilt at any time.
// Asking for work stamps it, so that it is not asked for again while its job has every chance to be alive.

import type { Sql } from '#src/database/database.ts'

// A job that has not shown itself for `lostAfterMs` is taken for lost and asked for again; doing it twice is harmless.
const lost = 'clock_timestamp() - make_interval(secs => $2)'

export async function takeRunsToRead(sql: Sql, environment: string, lostAfterMs: number): Promise<string[]> {
  // In the order in which they came: each list is compared with the one before.
  const { rows } = await sql.query<{ id: string }>(
    `WITH taken AS (
       UPDATE run SET asked_at = clock_timestamp()
       WHERE environment = $1 AND state = 'received' AND (asked_at IS NULL OR asked_at < ${lost}) RETURNING id, received_at)
     SELECT id FROM taken ORDER BY received_at, id`,
    [environment, lostAfterMs / 1_000],
  )
  return rows.map((row) => row.id)
}

export async function takeAttemptsToSend(sql: Sql, environment: string, lostAfterMs: number): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE attempt SET asked_at = clock_timestamp()
     WHERE environment = $1 AND phase = 'prepared' AND (asked_at IS NULL OR asked_at < ${lost}) RETURNING id`,
    [environment, lostAfterMs / 1_000],
  )
  return rows.map((row) => row.id)
}

/** True once per due time of the poller, and again when its job seems lost. */
export async function takePoll(sql: Sql, environment: string, lostAfterMs: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE poller SET asked_at = clock_timestamp()
     WHERE environment = $1 AND due_at <= clock_timestamp() AND (asked_at IS NULL OR asked_at < ${lost})
       AND EXISTS (SELECT FROM issuance WHERE environment = $1 AND state IN ('unconfirmed', 'requested', 'in_progress'))`,
    [environment, lostAfterMs / 1_000],
  )
  return rowCount > 0
}

/** Runs whose results have news that was not told yet. */
export async function takeWriteBacks(sql: Sql, environment: string, lostAfterMs: number): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `UPDATE write_back w SET asked_at = clock_timestamp() FROM run
     WHERE run.id = w.run_id AND run.environment = $1 AND w.told < w.wanted AND (w.asked_at IS NULL OR w.asked_at < ${lost})
     RETURNING run.id`,
    [environment, lostAfterMs / 1_000],
  )
  return rows.map((row) => row.id)
}

/** Pipelines that have rows to send now; first those with the fewest batches open, so that none waits until another is done. */
export async function pipelinesWithDueRows(sql: Sql, environment: string): Promise<string[]> {
  // From one name to the next in the index, and of each the first row that is due: asked before every batch, this must not cost more when more
  // people wait. Times that stay the same within the statement, or the index would not be looked up by them.
  const { rows } = await sql.query<{ pipeline: string }>(
    `WITH RECURSIVE named AS (
       (SELECT pipeline FROM issuance WHERE environment = $1 AND state = 'pending' ORDER BY pipeline LIMIT 1)
       UNION ALL
       SELECT (SELECT i.pipeline FROM issuance i WHERE i.environment = $1 AND i.state = 'pending' AND i.pipeline > named.pipeline ORDER BY i.pipeline LIMIT 1)
       FROM named WHERE named.pipeline IS NOT NULL)
     SELECT n.pipeline FROM named n WHERE EXISTS (
       SELECT FROM issuance i LEFT JOIN course c ON c.environment = i.environment AND c.course_uuid = i.course_uuid
       WHERE i.environment = $1 AND i.pipeline = n.pipeline AND i.state = 'pending' AND i.due_at <= statement_timestamp()
         AND (c.paused_until IS NULL OR c.paused_until <= statement_timestamp()))
     ORDER BY (SELECT count(*) FROM attempt a WHERE a.environment = $1 AND a.pipeline = n.pipeline AND a.phase IN ('prepared', 'sending')), n.pipeline`,
    [environment],
  )
  return rows.map((row) => row.pipeline)
}

/** Pipelines with rows still to be sent, and how many. */
export async function unsentByPipeline(sql: Sql, environment: string): Promise<{ pipeline: string; rows: number }[]> {
  const { rows } = await sql.query<{ pipeline: string; rows: number }>(
    `SELECT pipeline, count(*) AS rows FROM issuance WHERE environment = $1 AND state = 'pending' GROUP BY pipeline ORDER BY pipeline`,
    [environment],
  )
  return rows
}

/**
 * Everything due is asked for anew: at the start of the only worker there is, when no job of an earlier one is alive; where there are many,
 * when one of them died with jobs in hand, or the queue's store lost them. What is being done meanwhile may be asked for twice, which is harmless.
 */
export async function forgetAsked(sql: Sql, environment: string): Promise<void> {
  await sql.query('UPDATE run SET asked_at = NULL WHERE environment = $1 AND asked_at IS NOT NULL', [environment])
  await sql.query(`UPDATE attempt SET asked_at = NULL WHERE environment = $1 AND phase = 'prepared'`, [environment])
  await sql.query('UPDATE poller SET asked_at = NULL WHERE environment = $1', [environment])
  await sql.query('UPDATE inbox_look SET asked_at = NULL WHERE environment = $1', [environment])
  await sql.query('UPDATE archive SET asked_at = NULL WHERE environment = $1', [environment])
  await sql.query('UPDATE revocation SET asked_at = NULL WHERE environment = $1 AND asked_at IS NOT NULL', [
    environment,
  ])
  await sql.query(
    'UPDATE write_back SET asked_at = NULL WHERE told < wanted AND run_id IN (SELECT id FROM run WHERE environment = $1)',
    [environment],
  )
}
