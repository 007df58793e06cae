// The retention of pipelines: empties lists that are old, then the people whom no newer list names. It is an erasure of
// kind `retention`, with the same hashes, so that nobody is issued twice. Reads and writes the database only.

import { ruleText, tracesOf } from '#src/domain/credential/forgotten-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import { tryLockPublications } from '#src/ledger/runs/publication-lock.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/index-lookups.ts'
import { emptyIssuances, keptOfViolations } from './empty-records.ts'
import { isNewestList } from './newest-list.ts'
import { lineOfCorrections } from './person-records.ts'
import { writeContent, writeTraces } from './write-erasure.ts'

export interface Retention {
  pipeline: string
  days: number
  now: Date
}

interface RetentionScope extends Retention {
  environment: string
}

/** By which fields the people of a course are told apart. Null if the service no longer has the course. */
export type RuleOf = (course: string) => PersonComparison | null

/** A person who waits for something is looked at again after this. */
const againAfter = `interval '1 hour'`

/**
 * SQL: whether a time is older than the pipeline keeps data. A clock that is ahead of the database's deletes nothing
 * early.
 */
const isPast = (at: string, now: string, days: string) =>
  `${at} < least(${now}::timestamptz, clock_timestamp()) - make_interval(days => ${days}::int)`

/**
 * SQL: whether nobody needs the list's rows any more: every row of it has come to rest, its results are written, and it
 * is not the newest one. While another list of the pipeline is read or held, nothing of the pipeline expires.
 */
const isExpirable = `run.state = 'published' AND NOT run.adopting AND NOT ${isNewestList('run')}
  AND NOT EXISTS (SELECT FROM write_back w WHERE w.run_id = run.id AND w.written < w.wanted)
  AND NOT EXISTS (SELECT FROM run o WHERE o.environment = run.environment AND o.pipeline = run.pipeline AND o.state IN ('received', 'braked') AND o.settled_at IS NULL)`

// What retention leaves alone, because a person or a machine still needs the data of issuance `i`.
const openRevocation = `EXISTS (SELECT FROM revocation v WHERE v.issuance_id = i.id
  AND (v.state IN ('wanted', 'sending', 'unconfirmed', 'accepted') OR v.correction IS NOT NULL))`
/** SQL: its rows may still be sent, corrected or decided about. */
const needsDecision = `(i.state NOT IN ('issued', 'rejected', 'revoked') OR ${openRevocation})`
/** SQL: the row differs from its credential, and may still be taken for a correction. */
const isWaitingChange = (row: string) =>
  `(${row}.changed_fields IS NOT NULL AND NOT ${row}.change_over AND i.state = 'issued')`
const isToBeArchived = `(i.archive_due_at IS NOT NULL AND i.state = 'issued'
  AND EXISTS (SELECT FROM archive a WHERE a.environment = i.environment AND a.pipeline = i.pipeline AND a.watched))`
const isToBeTold = `EXISTS (SELECT FROM delivery d WHERE d.issuance_id = i.id AND d.state = 'pending')`
const hasWaitingRow = `EXISTS (SELECT FROM run_row w WHERE w.issuance_id = i.id AND ${isWaitingChange('w')})`
const waits = `(${needsDecision} OR ${isToBeArchived} OR ${isToBeTold} OR ${hasWaitingRow})`

export function retentionStore(db: Database, environment: string, hasher: Hasher) {
  return {
    /** Empties rows of the pipeline's next old list. @returns how many, and whether there may be more to do */
    expireRows: (retention: Retention, limit: number) =>
      db.transaction((sql) => expireRows(sql, { environment, ...retention }, limit)),
    /** The courses of the people who are to be looked at: their fields say how they are recognized later. */
    courses: async (pipeline: string): Promise<string[]> =>
      (
        await db.query<{ course: string }>(
          `SELECT DISTINCT i.course_uuid AS course FROM expiring_issuance q JOIN issuance i ON i.id = q.issuance_id
           WHERE i.environment = $1 AND i.pipeline = $2 ORDER BY 1`,
          [environment, pipeline],
        )
      ).rows.map(({ course }) => course),
    /** Empties the next people whom only expired lists name. */
    expirePeople: (retention: Retention, options: { ruleOf: RuleOf; limit: number }) =>
      db.transaction((sql) => expirePeople(sql, { environment, ...retention }, { hasher, ...options })),
  }
}

/**
 * The pipeline's erasure of this day, to which everything belongs that is emptied. It is opened again if it has ended.
 */
async function erasureOfToday(sql: Sql, { environment, pipeline, days }: RetentionScope): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO erasure (environment, kind, pipeline, requested_by, reason) VALUES ($1, 'retention', $2, 'retentionDays', $3)
     ON CONFLICT (environment, pipeline, ((requested_at AT TIME ZONE 'UTC')::date)) WHERE kind = 'retention' DO UPDATE SET ended_at = NULL RETURNING id`,
    [environment, pipeline, `${pipeline}: the last list is older than ${days} days`],
  )
  return rows[0]?.id ?? ''
}

/**
 * Empties the next rows of one list, and notes when all of it is done. Its people are then looked at one by one. The
 * rows keep their places and outcomes, and so do the credentials, whose data stay as long as a newer list names them.
 */
async function expireRows(sql: Sql, scope: RetentionScope, limit: number): Promise<{ rows: number; isBusy: boolean }> {
  const { environment, pipeline, days, now } = scope
  const { rows: lists } = await sql.query<{ id: string }>(
    `SELECT id FROM run WHERE environment = $1 AND pipeline = $2 AND expired_at IS NULL AND ${isPast('settled_at', '$4', '$3')} AND ${isExpirable}
     ORDER BY settled_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    [environment, pipeline, days, now],
  )
  const [list] = lists
  if (!list) return { rows: 0, isBusy: false }
  const { rowCount } = await sql.query(
    `UPDATE run_row r SET cells = '[]', raw = NULL, image_sha256 = NULL, reason = NULL, violations = ${keptOfViolations('r.violations')},
       change_over = r.change_over OR r.changed_fields IS NOT NULL
     FROM (SELECT r.row_number FROM run_row r LEFT JOIN issuance i ON i.id = r.issuance_id
           WHERE r.run_id = $1 AND r.cells <> '[]' AND (i.id IS NULL OR NOT (${needsDecision} OR ${isWaitingChange('r')})) ORDER BY r.row_number LIMIT $2) due
     WHERE r.run_id = $1 AND r.row_number = due.row_number`,
    [list.id, limit],
  )
  if (rowCount === 0) {
    await noteExpired(sql, list.id)
    await expireLateCompletions(sql, scope, list.id)
  }
  return { rows: rowCount, isBusy: true }
}

/** Everybody on the list goes into the queue, except those whom the newest list names: they come with that list. */
async function noteExpired(sql: Sql, runId: string): Promise<void> {
  await sql.query('UPDATE run SET expired_at = clock_timestamp() WHERE id = $1', [runId])
  await sql.query(
    `INSERT INTO expiring_issuance (issuance_id)
     SELECT issuance_id FROM run_row WHERE run_id = $1 AND issuance_id IS NOT NULL
     EXCEPT SELECT r.issuance_id FROM run this JOIN run newest ON newest.environment = this.environment AND newest.course_uuid = this.course_uuid AND ${isNewestList('newest')}
            JOIN run_row r ON r.run_id = newest.id WHERE this.id = $1
     EXCEPT SELECT e.issuance_id FROM run_row r JOIN erased_issuance e ON e.issuance_id = r.issuance_id WHERE r.run_id = $1
     ON CONFLICT DO NOTHING`,
    [runId],
  )
}

/** A completion goes with its credential. One whose credential went before goes with its list. */
async function expireLateCompletions(sql: Sql, scope: RetentionScope, runId: string): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT c.id FROM run_row r JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number
     JOIN erased_issuance e ON e.issuance_id = r.issuance_id AND e.emptied_at IS NOT NULL
     WHERE r.run_id = $1 AND r.cells = '[]' AND NOT EXISTS (SELECT FROM erased_completion o WHERE o.completion_id = c.id) ORDER BY c.id`,
    [runId],
  )
  if (rows.length === 0) return
  const completions = rows.map(({ id }) => id)
  await writeContent(sql, { erasureId: await erasureOfToday(sql, scope) }, { ids: [], rows: [], completions })
}

interface Line {
  /** The issuance in the queue. */
  first: number
  /** With everything that corrects it, and that it corrects. */
  ids: number[]
}

/**
 * Looks at the next people in the queue. A person on a list that has not expired leaves it, because that list brings
 * them again; a person who waits for something stays.
 * @returns how many were looked at, and how many of them were emptied
 */
async function expirePeople(
  sql: Sql,
  scope: RetentionScope,
  { hasher, ruleOf, limit }: { hasher: Hasher; ruleOf: RuleOf; limit: number },
): Promise<{ seen: number; emptied: number }> {
  const { environment, pipeline } = scope
  const { rows: next } = await sql.query<{ id: number; course: string }>(
    `SELECT i.id, i.course_uuid AS course FROM expiring_issuance q CROSS JOIN LATERAL (SELECT * FROM issuance WHERE id = q.issuance_id OFFSET 0) i
     WHERE i.environment = $1 AND i.pipeline = $2 AND q.looked_at < clock_timestamp() - ${againAfter} ORDER BY q.looked_at, q.issuance_id LIMIT $3`,
    [environment, pipeline, limit],
  )
  if (next.length === 0) return { seen: 0, emptied: 0 }
  const courses = next.map(({ course }) => course)
  // A list that is being published may name them.
  if (!(await tryLockPublications(sql, courses))) return { seen: 0, emptied: 0 }
  const queued = next.map(({ id }) => id)
  const lines = await linesOf(sql, queued)
  const all = [...new Set(lines.flatMap(({ ids }) => ids))]
  const { rows: issuances } = await sql.query<{ id: number; course: string; recipient: Record<string, string> | null }>(
    `SELECT id, course_uuid AS course, recipient FROM issuance WHERE id = ${eachOf('$1')} ORDER BY id FOR NO KEY UPDATE`,
    [all],
  )
  const { kept, waiting } = await whatKeeps(sql, scope, all)
  const isFree = ({ ids }: Line) => !ids.some((id) => kept.has(id) || waiting.has(id))
  const free = new Set(lines.filter(isFree).flatMap(({ ids }) => ids))
  const isOver = (line: Line) => isFree(line) || line.ids.some((id) => kept.has(id))
  await sql.query(`DELETE FROM expiring_issuance WHERE issuance_id = ${eachOf('$1')}`, [
    [...free, ...lines.filter(isOver).map(({ first }) => first)],
  ])
  await sql.query(`UPDATE expiring_issuance SET looked_at = clock_timestamp() WHERE issuance_id = ${eachOf('$1')}`, [
    queued,
  ])
  const toEmpty = issuances.filter(({ id }) => free.has(id))
  if (toEmpty.length === 0) return { seen: next.length, emptied: 0 }
  const erasureId = await erasureOfToday(sql, scope)
  const ids = toEmpty.map(({ id }) => id)
  await writeContent(sql, { erasureId }, { ids, rows: [], completions: await completionsOf(sql, ids) })
  const traces = toEmpty.map(({ id, course, recipient }) => {
    const rule = ruleOf(course)
    const of = { course, issuance: id, completion: null, row: null, rule: rule && ruleText(rule) }
    return { ...of, ...tracesOf(recipient ?? {}, rule?.identity ?? [], hasher) }
  })
  await writeTraces(sql, { erasureId, environment }, traces)
  // At once: nothing can happen to them in between.
  while ((await emptyIssuances(sql, erasureId)) > 0);
  return { seen: next.length, emptied: toEmpty.length }
}

async function linesOf(sql: Sql, ids: readonly number[]): Promise<Line[]> {
  const { rows } = await sql.query<Line>(
    `SELECT q.id AS first, ${lineOfCorrections('q.id')} AS ids
     FROM unnest($1::bigint[]) q(id)`,
    [ids],
  )
  return rows
}

async function completionsOf(sql: Sql, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT c.id FROM run_row r JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number WHERE r.issuance_id = ${eachOf('$1')}`,
    [ids],
  )
  return rows.map(({ id }) => id)
}

/** @returns those whom a list names that has not expired, and those who wait for something */
async function whatKeeps(sql: Sql, { days, now }: RetentionScope, ids: readonly number[]) {
  const { rows } = await sql.query<{ id: number; named: boolean; waits: boolean }>(
    `SELECT i.id, ${waits} AS waits, EXISTS (
       SELECT FROM run_row r JOIN run ON run.id = r.run_id
       WHERE r.issuance_id = i.id AND (run.expired_at IS NULL OR (${isPast('run.settled_at', '$3', '$2')}) IS NOT TRUE)) AS named
     FROM issuance i WHERE i.id = ${eachOf('$1')}`,
    [ids, days, now],
  )
  return {
    kept: new Set(rows.filter(({ named }) => named).map(({ id }) => id)),
    waiting: new Set(rows.filter(({ waits }) => waits).map(({ id }) => id)),
  }
}
