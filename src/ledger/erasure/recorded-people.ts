// People without an issuance in the list of erasures outside the ledger: their completions, and by what they are
// recognized. Reads and writes the database.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { forgottenLearner } from '../lms/forgotten-learner.ts'
import { insertTraces } from './write-traces.ts'

/** A completion, with a hash instead of its learner. */
export interface RecordedCompletion {
  system: string
  pipeline: string
  /** As the pipeline names it. */
  course: string
  learner: string
  /** ISO 8601, to the microsecond, because it has to be found again. */
  at: string
}

/** Hashes are in hex. */
export interface RecordedTrace {
  course: string
  identifiers: string[]
  whole: string
  identityFields: string[]
  identity: string | null
  name: string | null
  occurrenceFields: string[] | null
  occurrence: string | null
}

/** SQL: the completions of erasure `x`, with their learners. Nobody is recognized by a repetition. */
export const recordedCompletions = `coalesce((SELECT json_agg(json_build_object('system', c.system, 'pipeline', c.pipeline, 'course', c.course, 'learner', c.learner,
    'at', to_char(c.completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY c.id)
  FROM erased_completion e JOIN completion c ON c.id = e.completion_id WHERE e.erasure_id = x.id AND c.state <> 'same'), '[]')`

/** SQL: the traces of erasure `x`. */
export const recordedTraces = `coalesce((SELECT json_agg(json_build_object('course', t.course_uuid,
    'identifiers', ARRAY(SELECT encode(h.hash, 'hex') FROM erased_trace_identifier h WHERE h.trace_id = t.id AND NOT h.is_whole ORDER BY 1),
    'whole', (SELECT encode(h.hash, 'hex') FROM erased_trace_identifier h WHERE h.trace_id = t.id AND h.is_whole),
    'identityFields', t.identity_fields, 'identity', encode(t.identity_hash, 'hex'), 'name', encode(t.name_hash, 'hex'),
    'occurrenceFields', t.occurrence_fields, 'occurrence', encode(t.occurrence_hash, 'hex')) ORDER BY t.id)
  FROM erased_trace t WHERE t.erasure_id = x.id), '[]')`

export function withoutLearners(
  completions: readonly RecordedCompletion[],
  environment: string,
  hasher: Pick<Hasher, 'identifier'>,
): RecordedCompletion[] {
  return completions.map((each) => ({ ...each, learner: forgottenLearner(hasher, { environment, ...each }) }))
}

/** The completions that the ledger has, emptied or not, by the position of what was recorded of them. */
export async function completionsLike(
  sql: Sql,
  environment: string,
  recorded: readonly RecordedCompletion[],
  hasher: Pick<Hasher, 'identifier'>,
): Promise<{ at: number; id: number }[]> {
  if (recorded.length === 0) return []
  const { rows } = await sql.query<{ at: number; id: number; system: string; learner: string }>(
    `SELECT n.at::int - 1 AS at, c.id, c.system, c.learner
     FROM unnest($2::text[], $3::text[], $4::timestamptz[]) WITH ORDINALITY AS n(system, pipeline, completed_at, at)
     JOIN completion c ON c.environment = $1 AND c.system = n.system AND c.pipeline = n.pipeline AND c.completed_at = n.completed_at`,
    [environment, ...columnsOf(recorded)],
  )
  return rows.filter(
    ({ at, ...completion }) => recorded[at]?.learner === forgottenLearner(hasher, { environment, ...completion }),
  )
}

const columnsOf = (completions: readonly RecordedCompletion[]) => [
  completions.map(({ system }) => system),
  completions.map(({ pipeline }) => pipeline),
  completions.map(({ at }) => at),
]

/**
 * Writes what the ledger has lost of an erasure, so that whoever comes back is recognized: completions that it does not
 * have, already emptied, and traces.
 */
export async function restoreRecorded(
  sql: Sql,
  { erasureId, environment }: { erasureId: string; environment: string },
  recorded: { completions: readonly RecordedCompletion[]; traces: readonly RecordedTrace[] },
  hasher: Pick<Hasher, 'identifier'>,
): Promise<void> {
  const { traces } = recorded
  const here = new Set((await completionsLike(sql, environment, recorded.completions, hasher)).map(({ at }) => at))
  const completions = recorded.completions.filter((_, at) => !here.has(at))
  await sql.query(
    `WITH lost AS (
       INSERT INTO completion (environment, system, pipeline, completed_at, learner, course, cells, state, found_by)
       SELECT $2, n.system, n.pipeline, n.completed_at, n.learner, n.course, '{}', 'forgotten', 'poll'
       FROM unnest($3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[]) AS n(system, pipeline, completed_at, learner, course) RETURNING id)
     INSERT INTO erased_completion (completion_id, erasure_id, emptied_at) SELECT id, $1, clock_timestamp() FROM lost`,
    [
      ...[erasureId, environment, ...columnsOf(completions)],
      ...[completions.map(({ learner }) => learner), completions.map(({ course }) => course)],
    ],
  )
  const known = new Set((await tracesLike(sql, environment, traces)).map(({ at }) => at))
  const bytes = (hex: string | null) => (hex === null ? null : Buffer.from(hex, 'hex'))
  const lost = traces.filter((_, at) => !known.has(at))
  const kept = lost.map((trace) => ({
    ...{ run: null, row: null, completion: null, course: trace.course },
    ...{ identityFields: trace.identityFields, occurrenceFields: trace.occurrenceFields },
    ...{ identity: bytes(trace.identity), name: bytes(trace.name), occurrence: bytes(trace.occurrence) },
    identifiers: trace.identifiers.map((hash) => Buffer.from(hash, 'hex')),
    whole: Buffer.from(trace.whole, 'hex'),
  }))
  await insertTraces(sql, { erasureId, environment }, kept)
}

/** The traces of the ledger that are of the same rows, by the position of what was recorded of these. */
export async function tracesLike(
  sql: Sql,
  environment: string,
  traces: readonly RecordedTrace[],
): Promise<{ at: number; id: number }[]> {
  if (traces.length === 0) return []
  const { rows } = await sql.query<{ at: number; id: number }>(
    `SELECT n.at::int - 1 AS at, t.id FROM unnest($2::text[], $3::uuid[]) WITH ORDINALITY AS n(whole, course, at)
     JOIN erased_trace_identifier h ON h.hash = decode(n.whole, 'hex') AND h.is_whole
     JOIN erased_trace t ON t.id = h.trace_id AND t.environment = $1 AND t.course_uuid = n.course`,
    [environment, traces.map(({ whole }) => whole), traces.map(({ course }) => course)],
  )
  return rows
}
