// Writes an erasure down: whose data are to go, and the hashes by which the person is recognized afterwards. Everything
// else follows from it and can be repeated. Writes to the database within the caller's transaction.

import { type PersonTraces, tracesOf } from '#src/domain/credential/erased-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { lockWithBatches } from '../attempts/attempts.ts'
import { lockPipelines } from '../lms/empty-learning.ts'
import { lockPublications } from '../runs/publication-lock.ts'
import { takeLearnersAlong } from './learners-along.ts'
import { joinedContent, type NewerRecords, newerRecords } from './newer-records.ts'
import { type ComparisonOf, comparisonByRoles } from './person-records.ts'
import {
  completionsLike,
  type RecordedCompletion,
  type RecordedTrace,
  restoreRecorded,
  tracesLike,
} from './recorded-people.ts'
import { rowsOfOthers } from './rows-of-others.ts'
import type { SearchedTo } from './scan-people.ts'
import { withdrawRows } from './withdraw-rows.ts'
import { moveTraces, writeCompletions, writeRows } from './write-contents.ts'
import { writeTraces } from './write-traces.ts'

type Recipient = Readonly<Record<string, string>>

export interface ErasureRequest {
  /** The issuances of the person. What corrects them, and what they correct, is added. */
  ids: readonly number[]
  /** Invalid rows of the person. */
  rows: readonly { run: string; row: number }[]
  /** Completions of the person. Those that led to one of the issuances are added. */
  completions: readonly number[]
  by: string
  reason: string
  revokes: boolean
  releases: boolean
  /** What is kept of people without an issuance, for a release: of rows that are not in the ledger any more. */
  traces?: readonly number[]
  /** Without it, fields are taken by their roles. */
  comparisonOf?: ComparisonOf
  /**
   * The configured course of each pipeline, for completions of pipelines of which no list was read yet; null if nobody
   * can tell it now.
   */
  courses?: ReadonlyMap<string, string | null>
  /** What there was when the people were searched for. What came since is compared with them. */
  searchedTo?: SearchedTo
  /** The erasure that is carried out again, because this ledger was restored to a time before it. */
  replays?: { id: string; at: string; completions: readonly RecordedCompletion[]; traces: readonly RecordedTrace[] }
}

export interface WrittenErasure {
  id: string
  issuances: number
  /** What came after the search, and is part of the erasure. */
  newer: NewerRecords
}

/** Thrown if a correction of one of the issuances is in progress: it would issue the person's data once more. */
export class CorrectionInProgressError extends Error {
  override readonly name = 'CorrectionInProgressError'

  constructor(ids: readonly number[]) {
    super(
      `${ids.map((id) => `i${id}`).join(', ')}: a correction is in progress. Run \`credsync reconcile\` until it is done, and forget the person then. Nothing was changed.`,
    )
  }
}

interface LockedIssuance {
  id: number
  pipeline: string
  course: string
  recipient: Recipient | null
}

/**
 * Writes the erasure, and withdraws the rows that wait to be sent.
 * @throws CorrectionInProgressError, UnknownCourseOfPersonError
 */
export async function requestErasure(
  sql: Sql,
  environment: string,
  hasher: Hasher,
  wanted: ErasureRequest,
): Promise<WrittenErasure> {
  // The replay of an earlier erasure may have restored completions just now.
  const restored = await completionsLike(sql, environment, wanted.replays?.completions ?? [], hasher)
  const asked = { ...wanted, completions: [...wanted.completions, ...restored.map(({ id }) => id)] }
  const early = await newerRecords(sql, environment, asked, { courses: null, hasher })
  const courses = await lockCourses(sql, environment, { ...asked, ...joinedContent(asked, early) })
  // Once more: a list of these courses may have been published in the meantime.
  const newer = await newerRecords(sql, environment, asked, { courses, hasher, early })
  const request = { ...asked, ...joinedContent(asked, newer) }
  await lockPipelines(sql, { completionIds: request.completions })
  const comparisonOf = request.comparisonOf ?? (() => null)
  const issuances = await lockIssuances(sql, environment, request.ids)
  const ids = issuances.map((issuance) => issuance.id)
  await endRefusedCorrections(sql, ids)
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO erasure (environment, kind, requested_by, reason, revokes, releases, id, requested_at)
     VALUES ($1, 'request', $2, $3, $4, $5, coalesce($6, gen_random_uuid()), coalesce($7, clock_timestamp()))
     ON CONFLICT (id) DO UPDATE SET ended_at = NULL, waits_for = NULL RETURNING id`,
    [
      ...[environment, request.by, request.reason, request.revokes, request.releases],
      ...[request.replays?.id ?? null, request.replays?.at ?? null],
    ],
  )
  const id = rows[0]?.id as string
  // The files of its runs show the people again.
  if (request.replays) await sql.query('UPDATE erased_run SET cleaned_at = NULL WHERE erasure_id = $1', [id])
  await writeIssuances(sql, { erasureId: id, environment }, issuances, { hasher, comparisonOf })
  const { completions, replays } = request
  const recorded = replays && request.releases ? await tracesLike(sql, environment, replays.traces) : []
  const traces = [...(request.traces ?? []), ...recorded.map((trace) => trace.id)]
  await writeRows(sql, id, environment, request, { comparisonOf, hasher })
  const others = await rowsOfOthers(sql, hasher, ids)
  await writeCompletions(sql, id, environment, { ids, completions, others })
  await moveTraces(sql, id, traces)
  // What was recorded has what is kept of everybody, and is written next.
  const mayBeUntraced = request.releases || (replays !== undefined && replays.traces.length > 0)
  const { courses: configured } = request
  await writeTraces(sql, { erasureId: id, environment }, { hasher, comparisonOf, courses: configured, mayBeUntraced })
  // Nothing is needed of people who are released.
  if (replays && !request.releases) await restoreRecorded(sql, { erasureId: id, environment }, replays, hasher)
  const written = [...issuances]
  for (const take = () => takeLearnersAlong(sql, { erasureId: id, environment }, hasher); request.releases; ) {
    const along = await lockIssuances(sql, environment, await take())
    if (along.length === 0) break
    await writeIssuances(sql, { erasureId: id, environment }, along, { hasher, comparisonOf })
    const alongIds = along.map((issuance) => issuance.id)
    await writeCompletions(sql, id, environment, { ids: alongIds, completions: [], others: { runs: [], rows: [] } })
    written.push(...along)
  }
  await withdrawRows(sql, id)
  return { id, issuances: written.length, newer }
}

/** Waits for lists of these courses that are being published, so that no row of the person slips through. */
async function lockCourses(sql: Sql, environment: string, request: ErasureRequest): Promise<string[]> {
  const { rows } = await sql.query<{ course: string }>(
    `SELECT course_uuid AS course FROM issuance WHERE environment = $1 AND id = ANY($2::bigint[])
     UNION SELECT course_uuid FROM run WHERE environment = $1 AND id = ANY($3::uuid[]) AND course_uuid IS NOT NULL
     UNION SELECT course_uuid FROM run WHERE environment = $1 AND pipeline IN (SELECT pipeline FROM completion WHERE id = ANY($4::bigint[])) AND course_uuid IS NOT NULL`,
    [environment, request.ids, request.rows.map(({ run }) => run), request.completions],
  )
  const configured = request.completions.length > 0 ? [...(request.courses?.values() ?? [])] : []
  const recorded = request.replays?.traces ?? []
  const named = [...rows, ...recorded].map(({ course }) => course)
  const courses = [...new Set([...named, ...configured.filter((each) => each !== null)])]
  await lockPublications(sql, courses)
  return courses
}

/** Locks the issuances with everything that corrects them or that they correct, and their prepared batches. */
async function lockIssuances(sql: Sql, environment: string, ids: readonly number[]): Promise<LockedIssuance[]> {
  const { rows: line } = await sql.query<{ id: number }>(
    `WITH RECURSIVE earlier AS (
       SELECT id, corrects FROM issuance WHERE environment = $1 AND id = ANY($2::bigint[])
       UNION SELECT o.id, o.corrects FROM issuance o JOIN earlier ON o.id = earlier.corrects),
     line AS (SELECT id FROM earlier UNION SELECT n.id FROM issuance n JOIN line ON n.corrects = line.id)
     SELECT id FROM line`,
    [environment, ids],
  )
  const all = line.map(({ id }) => id)
  await lockWithBatches(sql, all)
  const { rows } = await sql.query<LockedIssuance>(
    'SELECT id, pipeline, course_uuid AS course, recipient FROM issuance WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE',
    [all],
  )
  return rows
}

/** @throws CorrectionInProgressError unless the revocations of all corrections that wait were refused or not applied */
async function endRefusedCorrections(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE revocation r SET correction = NULL FROM issuance i
     WHERE r.issuance_id = ANY($1) AND i.id = r.issuance_id AND i.state <> 'revoked' AND r.state IN ('refused', 'not_applied') AND r.correction IS NOT NULL`,
    [ids],
  )
  const { rows } = await sql.query<{ id: number }>(
    'SELECT DISTINCT issuance_id AS id FROM revocation WHERE issuance_id = ANY($1) AND correction IS NOT NULL ORDER BY 1',
    [ids],
  )
  if (rows.length > 0) throw new CorrectionInProgressError(rows.map(({ id }) => id))
}

/**
 * Hashes what there is to hash. An issuance that was forgotten before keeps its hashes, and belongs to the new erasure
 * if that one does more than the earlier one. Lists that came after its retention had ended are emptied then, and a
 * credential that is to be revoked now keeps the new erasure open until it is.
 */
export async function writeIssuances(
  sql: Sql,
  { erasureId, environment }: { erasureId: string; environment: string },
  issuances: readonly LockedIssuance[],
  { hasher, comparisonOf }: { hasher: Hasher; comparisonOf: ComparisonOf },
): Promise<void> {
  const traced = issuances.map((issuance) => {
    const recipient = issuance.recipient ?? {}
    const configured = comparisonOf(issuance.pipeline, issuance.course)
    const comparison = configured ?? comparisonByRoles(recipient)
    const traces: PersonTraces = issuance.recipient
      ? tracesOf(recipient, comparison, hasher)
      : { identifiers: [], name: null, occurrence: null }
    // Of a pipeline that is no longer configured, nobody knows any more what told its occasions apart.
    const rule = { ...comparison, occurrence: configured?.occurrence ?? null }
    return { id: issuance.id, course: issuance.course, rule, ...traces }
  })
  const namesIn = (setting: string) => `ARRAY(SELECT jsonb_array_elements_text(n.rule->'${setting}'))`
  const { rows: added } = await sql.query<{ id: number }>(
    `INSERT INTO erased_issuance AS e (issuance_id, erasure_id, environment, course_uuid, identity_fields, name_fields, occurrence_fields, name_hash, occurrence_hash)
     SELECT n.id, $1, $7, n.course, ${namesIn('identity')}, ${namesIn('nameFields')}, CASE WHEN n.rule->'occurrence' <> 'null' THEN ${namesIn('occurrence')} END,
            n.name, n.occurrence
     FROM unnest($2::bigint[], $3::jsonb[], $4::bytea[], $5::bytea[], $6::uuid[]) AS n(id, rule, name, occurrence, course)
     ON CONFLICT (issuance_id) DO UPDATE SET erasure_id = excluded.erasure_id, emptied_at = CASE WHEN NOT EXISTS (
         SELECT FROM erasure was, erasure now WHERE was.id = e.erasure_id AND now.id = excluded.erasure_id
           AND (was.kind = 'retention' OR (now.revokes AND NOT was.revokes))) THEN e.emptied_at END
       WHERE EXISTS (SELECT FROM erasure was, erasure now WHERE was.id = e.erasure_id AND now.id = excluded.erasure_id
         AND (was.kind = 'retention' OR (now.releases AND NOT was.releases) OR (now.revokes AND NOT was.revokes)))
     RETURNING issuance_id AS id`,
    [
      erasureId,
      traced.map(({ id }) => id),
      traced.map(({ rule }) => JSON.stringify(rule)),
      traced.map(({ name }) => name),
      traced.map(({ occurrence }) => occurrence),
      traced.map(({ course }) => course),
      environment,
    ],
  )
  const isAdded = new Set(added.map(({ id }) => id))
  const hashes = traced
    .filter(({ id }) => isAdded.has(id))
    .flatMap(({ id, identifiers }) => identifiers.map((hash) => ({ id, hash })))
  await sql.query(
    'INSERT INTO erased_identifier (hash, issuance_id) SELECT * FROM unnest($1::bytea[], $2::bigint[]) ON CONFLICT DO NOTHING',
    [hashes.map(({ hash }) => hash), hashes.map(({ id }) => id)],
  )
}
