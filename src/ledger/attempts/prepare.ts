// Prepares batches: decides which pending rows are sent together and which have to wait. Writes the batches to the
// database; nothing is sent here.

import type { Database, Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/index-lookups.ts'
import { exactTime } from '../exact-time.ts'
import { limitToCanary } from './canary.ts'
import type { PickPosition, PickPositions } from './pick-positions.ts'

// The service documents no limit on the size of a request, but proxies often limit it to 10 MB. A request body is held
// in memory several times while it is built.
const maxImageBytes = 8 * 1024 * 1024

/** Much longer than a healthy process is idle between two statements, which is a matter of milliseconds. */
const idleTimeout = '10s'

export function preparationStore(db: Database, environment: string, positions: PickPositions) {
  return {
    /**
     * Puts the next due rows of a pipeline into attempts in phase `prepared`: at most `batches` attempts of at most
     * `size` rows, all in one transaction, because only one caller at a time may pick rows. A row waits while another
     * credential of the same person is unsettled, because the report could not distinguish the two. With `canary`, a
     * course gets a single attempt with one row if it has accepted no call yet, or none since it was paused after
     * failures.
     * @returns the ids of the attempts; empty if nothing is due
     */
    async prepare(pipeline: string, size: number, { canary = false, batches = 1 } = {}): Promise<number[]> {
      const pick = positions.begin(pipeline)
      const prepared = await db.transaction(async (sql) => {
        await lockPicking(sql, environment, { waitsForDisk: false })
        const scope = { environment, pipeline, limit: size * batches }
        let selected = await selectRows(sql, scope, pick.from)
        if (selected.length === 0 && pick.from) selected = await selectRows(sql, scope, null)
        const due = selected.filter((row) => !row.blocked)
        const divided = divide(due, { size, batches, bytesOf: await imageSizes(sql, due) })
        const sendable = canary ? await limitToCanary(sql, environment, divided) : divided
        const ids = sendable.length > 0 ? await insertAttempts(sql, { environment, pipeline }, sendable) : []
        return { ids, position: lastDealtWith(selected, sendable.flat()) }
      })
      // Recorded only after the commit, because the rows of an uncommitted transaction are still due.
      if (prepared.position) pick.end(prepared.position)
      return prepared.ids
    },
  }
}

/**
 * Returns the last selected row such that it and all rows before it were put into a batch or are blocked. Returns null
 * if there is none, or if rows of a paused course were skipped. Pure.
 */
function lastDealtWith(selected: readonly DueRow[], batched: readonly DueRow[]): PickPosition | null {
  if (selected[0]?.isCoursePaused) return null
  const ids = new Set(batched.map(({ id }) => id))
  const leftAt = selected.findIndex(({ id, blocked }) => !blocked && !ids.has(id))
  return (leftAt === -1 ? selected.at(-1) : selected[leftAt - 1]) ?? null
}

async function insertAttempts(
  sql: Sql,
  { environment, pipeline }: { environment: string; pipeline: string },
  batches: readonly (readonly DueRow[])[],
): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `INSERT INTO attempt (environment, pipeline, course_uuid, size)
     SELECT $1, $2, course, size FROM unnest($3::uuid[], $4::int[]) AS batch(course, size) RETURNING id`,
    [environment, pipeline, batches.map(([first]) => first?.course), batches.map(({ length }) => length)],
  )
  const items = batches.flatMap((batch, index) =>
    batch.map((row, position) => ({ id: row.id, attempt: rows[index]?.id, position: position + 1 })),
  )
  const [ids, attempts] = [items.map(({ id }) => id), items.map(({ attempt }) => attempt)]
  await sql.query(
    'INSERT INTO attempt_item (issuance_id, attempt_id, position) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::int[])',
    [ids, attempts, items.map(({ position }) => position)],
  )
  // Excludes the rows from the next pick. Every end of an attempt sets `due_at` again.
  await sql.query(
    `UPDATE issuance SET due_at = 'infinity', reason = NULL, open_attempt = ($2::jsonb ->> id::text)::bigint WHERE id = ${eachOf('$1')}`,
    [ids, JSON.stringify(Object.fromEntries(items.map(({ id, attempt }) => [id, attempt])))],
  )
  return rows.map(({ id }) => id)
}

/**
 * Lets only one transaction pick rows at a time, so that two batches cannot each take one of two rows that must not be
 * open at the same time. The idle timeout ends the transaction of a process that stalls, which would otherwise stop all
 * sending. Sorting is disabled so that due rows are read in index order. With statistics from before a list arrived,
 * the planner would sort all of them for each batch.
 * @param options.waitsForDisk whether the commit must survive a crash of the server. It need not for prepared batches,
 * because nothing has been sent yet: a claim reaches the disk together with everything committed before it
 */
export async function lockPicking(sql: Sql, environment: string, { waitsForDisk = true } = {}): Promise<void> {
  await sql.query(
    `SELECT set_config('idle_in_transaction_session_timeout', $2, true), set_config('enable_seqscan', 'off', true),
            set_config('synchronous_commit', CASE WHEN $3 THEN current_setting('synchronous_commit') ELSE 'off' END, true),
            set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true),
            pg_advisory_xact_lock(hashtextextended($1, 0))`,
    [`credsync:prepare:${environment}`, idleTimeout, waitsForDisk],
  )
}

/**
 * SQL: whether rows for the course of `i` may be sent now. This is a lookup for each row, so it does not change the
 * order of the rows.
 */
export const isNotPaused = `coalesce((SELECT c.paused_until <= statement_timestamp() FROM course c
  WHERE c.environment = i.environment AND c.course_uuid = i.course_uuid), true)`

interface DueRow extends PickPosition {
  course: string
  batchCap: number | null
  /** Whether the row has to wait for another credential of the same person. */
  blocked: boolean
  /** Whether any course with an unsettled run of the pipeline is paused. Rows of such a course are skipped. */
  isCoursePaused: boolean
}

/**
 * Selects due rows and locks them, so that anything that changes one of them waits until the batch is prepared. Blocked
 * rows become due again in five seconds. Rows that another transaction has locked are left for a later pick.
 */
async function selectRows(
  sql: Sql,
  scope: { environment: string; pipeline: string; limit: number },
  from: PickPosition | null,
): Promise<DueRow[]> {
  const { rows } = await sql.query<DueRow>(
    `WITH due AS MATERIALIZED (
       SELECT i.id, i.course_uuid, i.batch_cap, i.due_at FROM issuance i
       WHERE i.environment = $1 AND i.pipeline = $2 AND i.state = 'pending' AND i.due_at <= statement_timestamp() AND ${isNotPaused}
         AND (i.due_at, i.id) > ($4::timestamptz, $5)
       ORDER BY i.due_at, i.id LIMIT $3 FOR NO KEY UPDATE OF i SKIP LOCKED),
     same_person AS MATERIALIZED (
       SELECT DISTINCT due.id, due.due_at, theirs.issuance_id AS other_id
       FROM due CROSS JOIN LATERAL (SELECT m.hash FROM issuance_match m WHERE m.issuance_id = due.id OFFSET 0) mine
       CROSS JOIN LATERAL (
         SELECT m.issuance_id FROM issuance_match m WHERE m.hash = mine.hash AND m.issuance_id <> due.id OFFSET 0) theirs),
     blocked AS (
       SELECT p.id FROM same_person p CROSS JOIN LATERAL (
         SELECT i.id, i.state, i.due_at FROM issuance i WHERE i.id = p.other_id AND i.environment = $1 OFFSET 0) other
       WHERE other.state IN ('sending', 'unconfirmed', 'requested', 'in_progress')
         OR (other.state = 'pending' AND other.due_at = 'infinity')
         OR (other.id IN (SELECT id FROM due) AND (other.due_at, other.id) < (p.due_at, p.id)))
     SELECT due.id, due.course_uuid AS course, due.batch_cap AS "batchCap", due.id IN (SELECT id FROM blocked) AS blocked,
            ${exactTime('due.due_at')} AS "dueAt",
            EXISTS (SELECT FROM course c WHERE c.environment = $1 AND c.paused_until > statement_timestamp() AND EXISTS (
              SELECT FROM run WHERE run.environment = $1 AND run.pipeline = $2 AND run.course_uuid = c.course_uuid AND run.settled_at IS NULL)) AS "isCoursePaused"
     FROM due ORDER BY due.due_at, due.id`,
    [scope.environment, scope.pipeline, scope.limit, from?.dueAt ?? '-infinity', from?.id ?? 0],
  )
  const blocked = rows.filter((row) => row.blocked).map((row) => row.id)
  if (blocked.length > 0)
    await sql.query(
      `UPDATE issuance SET due_at = clock_timestamp() + interval '5 seconds',
         reason = 'waits until another credential of the same person is settled, because the report could not tell them apart' WHERE id = ${eachOf('$1')}`,
      [blocked],
    )
  return rows
}

/** Returns the size in bytes of each row's image, by the row's id. Rows without an image are left out. */
async function imageSizes(sql: Sql, rows: readonly DueRow[]): Promise<ReadonlyMap<number, number>> {
  const { rows: sizes } = await sql.query<{ id: number; bytes: number }>(
    'SELECT i.id, octet_length(m.bytes) AS bytes FROM issuance i JOIN image m ON m.sha256 = i.image_sha256 WHERE i.id = ' +
      eachOf('$1'),
    [rows.map((row) => row.id)],
  )
  return new Map(sizes.map(({ id, bytes }) => [id, bytes]))
}

/**
 * Divides rows into batches. All rows of a batch have the same course and the same batch limit as its first row. Their
 * images together have at most `maxImageBytes`, but each batch has at least one row. Pure.
 */
function divide(
  rows: readonly DueRow[],
  { size, batches, bytesOf }: { size: number; batches: number; bytesOf: ReadonlyMap<number, number> },
): DueRow[][] {
  const divided: DueRow[][] = []
  for (let rest = rows; rest[0] && divided.length < batches; ) {
    const { course, batchCap } = rest[0]
    const batch: DueRow[] = []
    const others: DueRow[] = []
    let bytes = 0
    let isFull = false
    for (const row of rest) {
      const isAlike = row.course === course && row.batchCap === batchCap
      if (isAlike) bytes += bytesOf.get(row.id) ?? 0
      isFull ||= batch.length >= Math.min(size, batchCap ?? size) || (batch.length > 0 && bytes > maxImageBytes)
      ;(isAlike && !isFull ? batch : others).push(row)
    }
    divided.push(batch)
    rest = others
  }
  return divided
}
