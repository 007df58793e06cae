// Compares the erasures in the ledger with those in the file outside it. Reads and writes the database; the file is
// read and written elsewhere.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { forgottenLearner } from '#src/extensions/lms/ledger/forget-learners.ts'
import type { Database } from '#src/platform/database/database.ts'
import type { Records, RowName } from './person-records.ts'

/** An erasure as it is listed outside the ledger: keyed hashes and ids, no personal data. */
export interface RecordedErasure {
  erasure: string
  /** The id of the ledger, whose key made the hashes. */
  ledger: string
  environment: string
  /** When it was requested. ISO 8601. */
  at: string
  revokes: boolean
  releases: boolean
  /** The course of each issuance, and its key in hex. */
  issuances: { course: string; key: string }[]
  /** Rows of their own. */
  rows: RowName[]
  completions: RecordedCompletion[]
}

/** A completion, with a hash instead of its learner. */
export interface RecordedCompletion {
  system: string
  pipeline: string
  /** As the pipeline names it. */
  course: string
  /** As `forgottenLearner` makes it. */
  learner: string
  /** ISO 8601, to the microsecond, because it has to be found again. */
  at: string
}

/** An erasure in the file that the ledger has lost, at least in part, and what it has of the people. */
export interface LostErasure extends Records {
  line: RecordedErasure
  /** Completions that the ledger does not have: without them, their learners would be new to it. */
  missing: RecordedCompletion[]
}

/** SQL: a time in ISO 8601, to the microsecond. */
const timeOf = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const keyOf = ({ system, pipeline, learner, at }: RecordedCompletion) => JSON.stringify([system, pipeline, learner, at])

export function recordedErasureStore(db: Database, environment: string, ledgerId: string, hasher: Hasher) {
  const recordsOf = async (where: string, values: unknown[]): Promise<RecordedErasure[]> => {
    const { rows } = await db.query<RecordedErasure>(
      `SELECT x.id AS erasure, $2::text AS ledger, x.environment, to_char(x.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
           x.revokes, x.releases,
           coalesce((SELECT json_agg(json_build_object('course', i.course_uuid, 'key', encode(i.issuance_key, 'hex')) ORDER BY i.id)
             FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id WHERE e.erasure_id = x.id), '[]') AS issuances,
           coalesce((SELECT json_agg(json_build_object('run', e.run_id, 'row', e.row_number) ORDER BY e.run_id, e.row_number)
             FROM erased_row e WHERE e.erasure_id = x.id), '[]') AS rows,
           -- Nobody is recognized by a repetition.
           coalesce((SELECT json_agg(json_build_object('system', c.system, 'pipeline', c.pipeline, 'course', c.course, 'learner', c.learner, 'at', ${timeOf('c.completed_at')}) ORDER BY c.id)
             FROM erased_completion e JOIN completion c ON c.id = e.completion_id WHERE e.erasure_id = x.id AND c.state <> 'same'), '[]') AS completions
         FROM erasure x WHERE x.environment = $1 AND x.kind = 'request' AND ${where} ORDER BY x.requested_at, x.id`,
      [environment, ledgerId, ...values],
    )
    return rows.map((row) => ({ ...row, completions: row.completions.map(hashed) }))
  }
  return {
    /** Erasures that are not in the file yet. Nothing of them may be carried out before. */
    toRecord: () => recordsOf('x.recorded_at IS NULL', []),
    /** Records that the line of the erasure is on disk. */
    recorded: async (id: string): Promise<void> => {
      await db.query('UPDATE erasure SET recorded_at = clock_timestamp() WHERE id = $1 AND recorded_at IS NULL', [id])
    },
    /**
     * Erasures for the file of another data directory, which lacks them. Those whose hashes were released are left out:
     * nothing in the ledger says any more whom they were about.
     */
    recordsBeyond: async (listed: readonly string[]): Promise<RecordedErasure[]> => {
      const records = await recordsOf(
        'x.recorded_at IS NOT NULL AND NOT (x.releases AND x.ended_at IS NOT NULL) AND x.id <> ALL($3::uuid[])',
        [listed],
      )
      return records.filter(
        ({ issuances, rows, completions }) => issuances.length + rows.length + completions.length > 0,
      )
    },
    /** The lines, of this ledger and environment, that the ledger has lost. */
    lost: async (lines: readonly RecordedErasure[]): Promise<LostErasure[]> => {
      const own = lines.filter((line) => line.ledger === ledgerId && line.environment === environment)
      if (own.length === 0) return []
      const known = await knownErasures(own.map(({ erasure }) => erasure))
      const back = await peopleWhoAreBack(own.filter((line) => !line.releases || !known.has(line.erasure)))
      const lost = own.filter(({ erasure }) => !known.has(erasure) || back.has(erasure))
      const stored = await completionsLike(lost)
      return lost.map((line) => {
        const found = line.completions.map((each) => stored.get(keyOf(each)) ?? null)
        return {
          line,
          ids: back.get(line.erasure) ?? [],
          rows: line.rows,
          completions: found.filter((id) => id !== null),
          missing: line.completions.filter((_, at) => found[at] === null),
        }
      })
    },
  }

  function hashed(completion: RecordedCompletion): RecordedCompletion {
    return { ...completion, learner: forgottenLearner(hasher, { environment, ...completion }) }
  }

  async function knownErasures(ids: readonly string[]): Promise<Set<string>> {
    const { rows } = await db.query<{ id: string }>('SELECT id FROM erasure WHERE id = ANY($1::uuid[])', [ids])
    return new Set(rows.map(({ id }) => id))
  }

  /** The completions that the ledger has, emptied or not. */
  async function completionsLike(lines: readonly RecordedErasure[]): Promise<Map<string, number>> {
    const named = lines.flatMap(({ completions }) => completions)
    const { rows } = await db.query<RecordedCompletion & { id: number }>(
      `SELECT c.id, c.system, c.pipeline, c.course, c.learner, n.at
       FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::text[])) AS n(system, pipeline, at)
       JOIN completion c ON c.environment = $1 AND c.system = n.system AND c.pipeline = n.pipeline AND c.completed_at = n.at::timestamptz`,
      [
        environment,
        named.map(({ system }) => system),
        named.map(({ pipeline }) => pipeline),
        named.map(({ at }) => at),
      ],
    )
    return new Map(rows.map(({ id, ...each }) => [keyOf(hashed(each)), id]))
  }

  /**
   * Issuances that have the key of a forgotten one but are not erased. If the person is to be released, only those from
   * before, erased or not; and none if the person was released since: a later list issues that person again, under the
   * same key.
   */
  async function peopleWhoAreBack(lines: readonly RecordedErasure[]): Promise<Map<string, number[]>> {
    const named = lines.flatMap(({ erasure, at, releases, issuances }) =>
      issuances.map(({ course, key }) => {
        return { erasure, course, key: Buffer.from(key, 'hex'), before: releases ? at : null }
      }),
    )
    const { rows } = await db.query<{ erasure: string; ids: number[] }>(
      `SELECT n.erasure, json_agg(i.id ORDER BY i.id) AS ids
       FROM unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::timestamptz[]) AS n(erasure, course, key, before)
       JOIN issuance i ON i.environment = $1 AND i.course_uuid = n.course AND i.issuance_key = n.key JOIN run ON run.id = i.run_id
       WHERE CASE WHEN n.before IS NULL THEN NOT EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = i.id)
                  ELSE run.published_at < n.before END
         AND NOT EXISTS (
           SELECT FROM erased_issuance e JOIN issuance o ON o.id = e.issuance_id
           WHERE e.released_at IS NOT NULL AND o.course_uuid = n.course AND o.issuance_key = superseded_key(n.key, o.id))
       GROUP BY n.erasure`,
      [
        environment,
        named.map(({ erasure }) => erasure),
        named.map(({ course }) => course),
        named.map(({ key }) => key),
        named.map(({ before }) => before),
      ],
    )
    return new Map(rows.map(({ erasure, ids }) => [erasure, ids]))
  }
}
