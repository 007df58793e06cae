// Writes an erasure down: whose data are to go, and by what the person is recognized afterwards. Everything else
// follows from it and can be repeated. Writes to the database within the caller's transaction.

import { identifiersOf, type PersonTraces, tracesOf } from '#src/domain/credential/forgotten-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { isForgottenSql, lockPipelines } from '#src/extensions/lms/ledger/forget-learners.ts'
import { dropUnsendableAttempts, lockWithBatches } from '#src/ledger/attempts/attempts.ts'
import { isOfItsPerson } from '#src/ledger/forgotten-people.ts'
import type { Sql } from '#src/platform/database/database.ts'
import {
  type FieldsOf,
  type PersonRecord,
  PersonRecords,
  type Records,
  type RowName,
  recordsOf,
} from './person-records.ts'
import type { RecordedCompletion } from './recorded-erasures.ts'

export interface ErasureRequest {
  by: string
  reason: string
  revokes: boolean
  releases: boolean
  /** The erasure that is carried out again, because this ledger was restored to a time before it. */
  replays?: { id: string; at: string; missing: readonly RecordedCompletion[] }
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

interface Scope {
  erasureId: string
  environment: string
  hasher: Hasher
}

/**
 * Writes the erasure, and withdraws the rows that wait to be sent.
 * @param wanted what is certainly of the same people is added: their lines of corrections, and their accounts
 * @param wanted.people what is kept of them from an earlier erasure
 * @returns the id of the erasure
 * @throws CorrectionInProgressError
 */
export async function writeErasure(
  sql: Sql,
  { environment, hasher, fieldsOf }: { environment: string; hasher: Hasher; fieldsOf: FieldsOf },
  { people = [], ...wanted }: Records & { people?: readonly number[] },
  { by, reason, revokes, releases, replays }: ErasureRequest,
): Promise<string> {
  const records = await new PersonRecords(sql, environment, fieldsOf).connected(wanted)
  const found = recordsOf(records)
  const content = releases
    ? await withForgottenLearners(sql, { environment, fieldsOf }, found, wanted.completions)
    : found
  await lockPipelines(sql, { completionIds: content.completions })
  await lockWithBatches(sql, content.ids)
  await sql.query('SELECT FROM issuance WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE', [content.ids])
  await endRefusedCorrections(sql, content.ids)
  await refuseNewCorrections(sql, content.ids)
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO erasure (environment, kind, requested_by, reason, revokes, releases, id, requested_at)
     VALUES ($1, 'request', $2, $3, $4, $5, coalesce($6, gen_random_uuid()), coalesce($7, clock_timestamp()))
     ON CONFLICT (id) DO UPDATE SET ended_at = NULL, waits_for = NULL RETURNING id`,
    [environment, by, reason, revokes, releases, replays?.id ?? null, replays?.at ?? null],
  )
  const erasureId = rows[0]?.id as string
  // The files of its runs show the people again.
  if (replays) await sql.query('UPDATE erased_run SET cleaned_at = NULL WHERE erasure_id = $1', [erasureId])
  const scope = { erasureId, environment, hasher }
  await writeContent(sql, scope, content)
  // Nothing is needed of people who are released.
  if (replays && !releases) await restoreCompletions(sql, scope, replays.missing)
  const issuances = new Map(
    records.flatMap((record) => (record.kind === 'issuance' ? [[record.id, record] as const] : [])),
  )
  await writeTraces(
    sql,
    scope,
    records.flatMap((record) => traceOf(record, { hasher, fieldsOf }, issuances)),
  )
  await sql.query('UPDATE erased_person SET erasure_id = $1 WHERE id = ANY($2::bigint[])', [erasureId, people])
  if (releases)
    await sql.query(
      'UPDATE erased_completion e SET erasure_id = $1 FROM erased_person p WHERE p.erasure_id = $1 AND e.person_id = p.id',
      [erasureId],
    )
  await withdrawRows(sql, erasureId)
  return erasureId
}

/**
 * Completions that were emptied before are no records any more. A release takes along what the same learners had, so
 * that no earlier erasure says that they are forgotten when a learning system reports them again.
 */
async function withForgottenLearners(
  sql: Sql,
  { environment, fieldsOf }: { environment: string; fieldsOf: FieldsOf },
  content: Records,
  completions: readonly number[],
): Promise<Records> {
  const { rows } = await sql.query<{ id: number; issuance: number | null; row: RowName | null }>(
    `WITH learner AS (
       SELECT DISTINCT c.learner FROM completion c WHERE c.environment = $1 AND ${isForgottenSql('c.learner')} AND (c.id = ANY($2::bigint[])
         OR (c.run_id, c.row_number) IN (SELECT run_id, row_number FROM run_row WHERE issuance_id = ANY($3::bigint[]) AND (outcome = 'accepted' OR (forgotten_at IS NOT NULL AND changed_fields IS NULL)))
         OR (c.run_id, c.row_number) IN (SELECT * FROM unnest($4::uuid[], $5::int[]))))
     SELECT c.id, CASE WHEN ${isOfItsPerson('r')} THEN r.issuance_id END AS issuance, CASE WHEN e.run_id IS NOT NULL THEN json_build_object('run', e.run_id, 'row', e.row_number) END AS row
     FROM learner JOIN completion c ON c.environment = $1 AND c.learner = learner.learner
     LEFT JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number LEFT JOIN erased_row e ON e.run_id = r.run_id AND e.row_number = r.row_number`,
    [environment, completions, content.ids, content.rows.map(({ run }) => run), content.rows.map(({ row }) => row)],
  )
  const unique = (ids: readonly number[]) => [...new Set(ids)]
  const led = rows.flatMap(({ issuance }) => issuance ?? [])
  const lines = await new PersonRecords(sql, environment, fieldsOf).connected({ ids: led, rows: [], completions: [] })
  return {
    ids: unique([...content.ids, ...recordsOf(lines).ids]),
    rows: [...content.rows, ...rows.flatMap(({ row }) => row ?? [])],
    completions: unique([...content.completions, ...rows.map(({ id }) => id)]),
  }
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

/** @throws CorrectionInProgressError if a correction was written after its line was read, and before it was locked */
async function refuseNewCorrections(sql: Sql, ids: readonly number[]): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    'SELECT corrects AS id FROM issuance WHERE corrects = ANY($1) AND id <> ALL($1) ORDER BY 1',
    [ids],
  )
  if (rows.length > 0) throw new CorrectionInProgressError(rows.map(({ id }) => id))
}

/** SQL: whether an erasure takes over what belongs to another one, because it does more. */
const takesOver = (other: string) => `EXISTS (
  SELECT FROM erasure was, erasure now WHERE was.id = ${other}.erasure_id AND now.id = excluded.erasure_id
    AND (was.kind = 'retention' OR (now.releases AND NOT was.releases) OR (now.revokes AND NOT was.revokes)))`

/**
 * Records what belongs to the erasure. Lists that came after the retention of an issuance had ended are emptied now,
 * and a credential that is to be revoked keeps the erasure open until it is.
 */
export async function writeContent(
  sql: Sql,
  { erasureId }: Pick<Scope, 'erasureId'>,
  { ids, rows, completions }: Records,
): Promise<void> {
  await sql.query(
    `INSERT INTO erased_issuance AS e (issuance_id, erasure_id) SELECT unnest($2::bigint[]), $1
     ON CONFLICT (issuance_id) DO UPDATE SET erasure_id = excluded.erasure_id, emptied_at = CASE WHEN NOT EXISTS (
         SELECT FROM erasure was, erasure now WHERE was.id = e.erasure_id AND now.id = excluded.erasure_id
           AND (was.kind = 'retention' OR (now.revokes AND NOT was.revokes))) THEN e.emptied_at END
       WHERE ${takesOver('e')}`,
    [erasureId, ids],
  )
  await sql.query(
    `INSERT INTO erased_row AS e (run_id, row_number, erasure_id) SELECT DISTINCT run, row, $1::uuid FROM unnest($2::uuid[], $3::int[]) n(run, row)
     ON CONFLICT (run_id, row_number) DO UPDATE SET erasure_id = excluded.erasure_id WHERE ${takesOver('e')}`,
    [erasureId, rows.map(({ run }) => run), rows.map(({ row }) => row)],
  )
  await sql.query(
    `INSERT INTO erased_completion AS e (completion_id, erasure_id) SELECT unnest($2::bigint[]), $1
     ON CONFLICT (completion_id) DO UPDATE SET erasure_id = excluded.erasure_id WHERE ${takesOver('e')}`,
    [erasureId, completions],
  )
  // Of people whose retention ended: somebody who asks to be forgotten is not issued on a renewal either.
  await sql.query(
    `UPDATE erased_completion e SET erasure_id = $1 FROM erasure now, erasure was, completion c, run_row r, erased_issuance i
     WHERE now.id = $1 AND now.kind = 'request' AND i.erasure_id = $1 AND r.issuance_id = i.issuance_id AND ${isOfItsPerson('r')}
       AND c.run_id = r.run_id AND c.row_number = r.row_number AND e.completion_id = c.id AND was.id = e.erasure_id AND was.kind = 'retention'`,
    [erasureId],
  )
  await sql.query(
    `UPDATE erased_person SET erasure_id = $1 WHERE erasure_id <> $1 AND (
       issuance_id IN (SELECT issuance_id FROM erased_issuance WHERE erasure_id = $1)
       OR completion_id IN (SELECT completion_id FROM erased_completion WHERE erasure_id = $1)
       OR (run_id, row_number) IN (SELECT run_id, row_number FROM erased_row WHERE erasure_id = $1))`,
    [erasureId],
  )
}

/** Writes completions that the ledger has lost, already emptied, so that nobody who is reported again counts as new. */
async function restoreCompletions(
  sql: Sql,
  { erasureId, environment }: Scope,
  missing: readonly RecordedCompletion[],
): Promise<void> {
  await sql.query(
    `WITH lost AS (
       INSERT INTO completion (environment, system, pipeline, completed_at, learner, course, cells, state, found_by)
       SELECT $2, n.system, n.pipeline, n.completed_at, n.learner, n.course, '{}', 'forgotten', 'poll'
       FROM unnest($3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[]) AS n(system, pipeline, completed_at, learner, course) RETURNING id)
     INSERT INTO erased_completion (completion_id, erasure_id, emptied_at) SELECT id, $1, clock_timestamp() FROM lost`,
    [
      ...[erasureId, environment, missing.map(({ system }) => system), missing.map(({ pipeline }) => pipeline)],
      ...[missing.map(({ at }) => at), missing.map(({ learner }) => learner), missing.map(({ course }) => course)],
    ],
  )
}

/** By what the person of a record is recognized. */
export interface Trace extends PersonTraces {
  course: string
  issuance: number | null
  completion: number | null
  row: RowName | null
  /** `ruleText` of the pipeline; null if it is not known. */
  rule: string | null
}

function traceOf(
  { kind, id, row, pipeline, course, recipient, linked }: PersonRecord,
  { hasher, fieldsOf }: { hasher: Hasher; fieldsOf: FieldsOf },
  ofIssuances: ReadonlyMap<number, PersonRecord>,
): Trace[] {
  if (course === null) return []
  const identity = fieldsOf(pipeline)?.identity ?? []
  const { identifiers, name } = tracesOf(recipient ?? {}, identity, hasher)
  // What led to an issuance is recognized by that, unless it has an address or a number of its own.
  const known = new Set(linked.flatMap((issuance) => ofIssuances.get(issuance)?.identifiers ?? []))
  const isKnown = identifiersOf(recipient ?? {}, identity).every((value) => known.has(value))
  if (kind !== 'issuance' && isKnown) return []
  const of = { issuance: kind === 'issuance' ? id : null, completion: kind === 'completion' ? id : null, row }
  return [{ course, ...of, rule: null, identifiers, name }]
}

/** Hashes what there is to hash. A record that was forgotten before keeps its hashes. */
export async function writeTraces(
  sql: Sql,
  { erasureId, environment }: Pick<Scope, 'erasureId' | 'environment'>,
  traces: readonly Trace[],
): Promise<void> {
  const keyOf = ({ issuance, completion, row }: Pick<Trace, 'issuance' | 'completion' | 'row'>) =>
    JSON.stringify([issuance, completion, row?.run, row?.row])
  const { rows: known } = await sql.query<Pick<Trace, 'issuance' | 'completion' | 'row'>>(
    `SELECT issuance_id AS issuance, completion_id AS completion, CASE WHEN run_id IS NOT NULL THEN json_build_object('run', run_id, 'row', row_number) END AS row
     FROM erased_person WHERE erasure_id = $1`,
    [erasureId],
  )
  const hashed = new Set(known.map(keyOf))
  const fresh = traces.filter((trace) => !hashed.has(keyOf(trace)))
  if (fresh.length === 0) return
  const { rows: ids } = await sql.query<{ id: number }>(
    `SELECT nextval(pg_get_serial_sequence('erased_person', 'id')) AS id FROM generate_series(1, $1::int)`,
    [fresh.length],
  )
  await sql.query(
    `INSERT INTO erased_person (id, erasure_id, environment, course_uuid, issuance_id, completion_id, run_id, row_number, name_hash, rule) OVERRIDING SYSTEM VALUE
     SELECT n.id, $1, $2, n.course, n.issuance, n.completion, n.run, n.row, n.name, n.rule
     FROM unnest($3::bigint[], $4::uuid[], $5::bigint[], $6::bigint[], $7::uuid[], $8::int[], $9::bytea[], $10::text[]) n(id, course, issuance, completion, run, row, name, rule)
     ON CONFLICT DO NOTHING`,
    [
      ...[erasureId, environment, ids.map(({ id }) => id), fresh.map(({ course }) => course)],
      ...[fresh.map(({ issuance }) => issuance), fresh.map(({ completion }) => completion)],
      ...[fresh.map(({ row }) => row?.run ?? null), fresh.map(({ row }) => row?.row ?? null)],
      ...[fresh.map(({ name }) => name), fresh.map(({ rule }) => rule)],
    ],
  )
  const hashes = fresh.flatMap(({ identifiers }, n) => identifiers.map((hash) => ({ hash, id: ids[n]?.id })))
  // A record that an earlier erasure keeps has its hashes already.
  await sql.query(
    `INSERT INTO erased_identifier (hash, person_id) SELECT n.hash, n.id FROM unnest($1::bytea[], $2::bigint[]) n(hash, id)
     WHERE EXISTS (SELECT FROM erased_person p WHERE p.id = n.id)`,
    [hashes.map(({ hash }) => hash), hashes.map(({ id }) => id)],
  )
}

/**
 * Withdraws the pending rows of an erasure forever. The other rows of their prepared batches are picked again.
 * @returns how many were withdrawn
 */
export async function withdrawRows(sql: Sql, erasureId: string): Promise<number> {
  const { rows: pending } = await sql.query<{ id: number }>(
    `SELECT i.id FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL AND i.state = 'pending'`,
    [erasureId],
  )
  if (pending.length === 0) return 0
  const ids = pending.map(({ id }) => id)
  await lockWithBatches(sql, ids)
  const { rows: withdrawn } = await sql.query<{ id: number }>(
    `UPDATE issuance SET state = 'failed', event = 'forgotten', evidence = jsonb_build_object('erasure', $2::uuid),
       reason = 'withdrawn before it was sent, because the person was forgotten'
     WHERE id = ANY($1) AND state = 'pending' RETURNING id`,
    [ids, erasureId],
  )
  await dropUnsendableAttempts(
    sql,
    withdrawn.map(({ id }) => id),
    'one of its rows was withdrawn, because its person was forgotten',
  )
  return withdrawn.length
}
