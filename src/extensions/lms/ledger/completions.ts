// Stores completions: reports of a learning system that a learner completed a course. Each occasion goes into exactly
// one run. Reads and writes the database.

import { createHash } from 'node:crypto'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { completionsPath } from '#src/ledger/runs/completions-path.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { lookUp } from '#src/platform/database/index-lookups.ts'
import { forgottenLearner, isForgottenLearner } from './forget-learners.ts'
import { isRetried, lockCompletions, readyAgain, refusedCompletionStore, retryRelated } from './refused-completions.ts'

export interface NewCompletion {
  /** An identifier of the learner that never changes: the system's own id if it has one. */
  learner: string
  course: string
  completedAt: Date
  /** Text by column, named as in the pipeline's `columns`. Contains personal data. */
  cells: Readonly<Record<string, string>>
  /** Id of the inbound event, if the event was trusted without verification. */
  eventId?: number
  /** Whether that event has been processed before. */
  again?: boolean
}

export interface CompletionSource {
  system: string
  pipeline: string
  /**
   * A completion is a new occasion if it is at least this many milliseconds later than every known one. Null: each
   * learner gets one credential only.
   */
  renewAfterMs: number | null
}

/** Whether the system sent the completion, or a poll found it. */
export type CompletionOrigin = 'event' | 'poll'

export interface IngestCounts {
  /** Occasions that were not known before. */
  fresh: number
  /** Completions of a known occasion. */
  same: number
  /** Completions of an occasion before the newest known one: they are stored, but renew nothing. */
  older: number
  /** Known completions that are retried: their row was refused, and their data have changed or were mapped again. */
  again: number
  /** Completions of a reprocessed event that now have a different time: no second completion is created for them. */
  moved: number
  /** Completions of learners who were forgotten: nothing of them is stored. */
  forgotten: number
}

/** The completion of a learner that led to an issuance. */
export interface ShownCompletion {
  system: string
  course: string
  completedAt: string
  foundAt: string
  foundBy: CompletionOrigin
}

/** A completion as a row of a run. */
export interface CompletionRow {
  row: number
  cells: Record<string, string>
  /** The time that justifies a further credential for the person; null for the first credential. */
  occasion: Date | null
}

/** Further completions go into another run. */
const maxCompletionsPerRun = 5_000

export function completionStore(db: Database, environment: string, hasher: Pick<Hasher, 'identifier'>) {
  return {
    /** Records completions. An event and several polls may report the same completion, in any order: it counts once. */
    ingest: (source: CompletionSource, batch: readonly NewCompletion[], by: CompletionOrigin): Promise<IngestCounts> =>
      db.transaction(async (sql) => {
        const counts = { fresh: 0, same: 0, older: 0, again: 0, moved: 0, forgotten: 0 }
        await lockCompletions(sql, environment, source.pipeline)
        for (const completion of batch)
          counts[await ingestOne(sql, { environment, hasher }, { ...source, by }, completion)] += 1
        return counts
      }),
    /**
     * Learners of the system with a known completion for the pipeline, and the time of their latest one. They do not
     * have to be polled. Forgotten learners are included, but only `has` finds them.
     */
    known: async (system: string, pipeline: string): Promise<ReadonlyMap<string, Date>> => {
      const { rows } = await db.query<{ learner: string; at: Date }>(
        `SELECT learner, max(completed_at) AS at FROM completion WHERE environment = $1 AND system = $2 AND pipeline = $3 GROUP BY learner`,
        [environment, system, pipeline],
      )
      return new KnownLearners(rows, hasher, { environment, system })
    },
    /**
     * Pipelines with completions that are not in a run yet. While a run is held because of the pipeline's daily limit,
     * its further completions wait, so that the operator decides once and not for each of them.
     */
    waiting: async (): Promise<string[]> => {
      const { rows } = await db.query<{ pipeline: string }>(
        `SELECT DISTINCT c.pipeline FROM completion c WHERE c.environment = $1 AND c.state = 'ready' AND NOT EXISTS (
           SELECT FROM run WHERE run.environment = $1 AND run.pipeline = c.pipeline AND run.state = 'braked' AND run.beyond_day
             AND starts_with(run.source_path, '${completionsPath('')}'))`,
        [environment],
      )
      return rows.map(({ pipeline }) => pipeline)
    },
    /** Puts ready completions into a new run, which can then be read. @returns its id; null if none are ready */
    createRun: (pipeline: string): Promise<string | null> =>
      db.transaction((sql) => createRunOfReady(sql, environment, pipeline)),
    /** The column titles of a run of completions. */
    columnsOf: async (runId: string): Promise<string[]> => {
      const { rows } = await db.query<{ title: string }>(
        'SELECT DISTINCT jsonb_object_keys(cells) AS title FROM completion WHERE run_id = $1 ORDER BY title',
        [runId],
      )
      return rows.map(({ title }) => title)
    },
    /** The rows of a run of completions, in order, a thousand at a time. */
    async *rowsOf(runId: string): AsyncGenerator<CompletionRow[], void, undefined> {
      for (let after = 0; ; ) {
        const { rows } = await db.query<CompletionRow>(
          `SELECT row_number AS row, cells, occasion FROM completion WHERE run_id = $1 AND row_number > $2 ORDER BY row_number LIMIT 1000`,
          [runId, after],
        )
        const last = rows.at(-1)
        if (!last) return
        yield rows
        after = last.row
      }
    },
    /** The completions that led to these issuances, whatever their environment. */
    ofIssuances: async (issuances: readonly number[]): Promise<ReadonlyMap<number, ShownCompletion>> => {
      const { rows } = await db.query<{ id: number; completion: ShownCompletion }>(
        `SELECT i.id, json_build_object('system', c.system, 'course', c.course, 'completedAt', c.completed_at, 'foundAt', c.found_at, 'foundBy', c.found_by) AS completion
         FROM issuance i JOIN completion c ON c.run_id = i.run_id AND c.row_number = i.row_number WHERE i.id = ANY($1)`,
        [issuances],
      )
      return new Map(rows.map(({ id, completion }) => [id, completion]))
    },
    ...refusedCompletionStore(db, environment),
  }
}

interface KnownCompletion {
  id: number
  learner: string
  at: Date
  eventId: number | null
  again: boolean
  /** Whether the learner asked to be forgotten. */
  asked: boolean
}

async function ingestOne(
  sql: Sql,
  { environment, hasher }: { environment: string; hasher: Pick<Hasher, 'identifier'> },
  { system, pipeline, renewAfterMs, by }: CompletionSource & { by: CompletionOrigin },
  { learner, course, completedAt, cells, eventId, again = false }: NewCompletion,
): Promise<keyof IngestCounts> {
  const learnerKey = [environment, pipeline, system, learner]
  const { rows: known } = await sql.query<KnownCompletion>(
    `SELECT id, learner, completed_at AS at, event_id AS "eventId", ${isRetried('$5', '$6')} AS again,
       EXISTS (SELECT FROM erased_completion e JOIN erasure x ON x.id = e.erasure_id WHERE e.completion_id = c.id AND x.kind = 'request' AND NOT x.releases) AS asked
     FROM ${lookUp('completion', 'environment = $1 AND learner = ANY(ARRAY[$4, $7])')} c WHERE pipeline = $2 AND system = $3 AND state <> 'same'`,
    [
      ...[...learnerKey, JSON.stringify(cells), eventId ?? null],
      forgottenLearner(hasher, { environment, system, learner }),
    ],
  )
  // This applies to whatever they complete: a renewal may come under another address, which nothing would recognize. An
  // id that is an address does not count, because it may belong to several people.
  if (!learner.includes('@') && known.some(({ asked }) => asked)) return 'forgotten'
  const distance = (each: { at: Date }) => Math.abs(each.at.getTime() - completedAt.getTime())
  const byDistance = known.toSorted((a, b) => distance(a) - distance(b))
  const [nearest] = byDistance
  const isSame = nearest !== undefined && (renewAfterMs === null || distance(nearest) < renewAfterMs)
  const ofSameEvent = again ? byDistance.find((each) => each.eventId === eventId) : undefined
  const existing = isSame ? nearest : ofSameEvent
  const newer = isSame ? undefined : known.find((each) => each.at > completedAt)
  if (existing && isForgottenLearner(existing.learner)) return 'forgotten'
  if (existing?.again) {
    await retryRelated(sql, existing.id)
    await sql.query(
      `UPDATE completion c SET ${readyAgain}, cells = $2, event_id = $3, completed_at = CASE WHEN $4 AND NOT EXISTS (
         SELECT FROM completion o WHERE o.environment = c.environment AND o.pipeline = c.pipeline AND o.system = c.system AND o.learner = c.learner
         AND o.completed_at = $5) THEN $5 ELSE c.completed_at END WHERE c.id = $1`,
      [existing.id, JSON.stringify(cells), eventId ?? null, !isSame, completedAt],
    )
    return 'again'
  }
  if (!isSame && existing) return 'moved'
  if (newer && isForgottenLearner(newer.learner)) return 'forgotten'
  const { rowCount } = await sql.query(
    `INSERT INTO completion (environment, pipeline, system, learner, course, completed_at, cells, state, occasion, found_by, event_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (environment, pipeline, system, learner, completed_at) DO NOTHING`,
    [
      ...learnerKey,
      course,
      completedAt,
      JSON.stringify(cells),
      isSame || newer ? 'same' : 'ready',
      // Stored for an older completion as well, but not for a repetition.
      !isSame && nearest ? completedAt : null,
      by,
      eventId ?? null,
    ],
  )
  return isSame || rowCount === 0 ? 'same' : newer ? 'older' : 'fresh'
}

async function createRunOfReady(sql: Sql, environment: string, pipeline: string): Promise<string | null> {
  const { rows } = await sql.query<{ id: number; system: string }>(
    `SELECT id, system FROM completion WHERE environment = $1 AND pipeline = $2 AND state = 'ready'
     ORDER BY id LIMIT ${maxCompletionsPerRun} FOR UPDATE SKIP LOCKED`,
    [environment, pipeline],
  )
  const first = rows[0]
  if (!first) return null
  const ids = rows.filter((row) => row.system === first.system).map((row) => row.id)
  // Unique for every run: a hash of the contents might be the same as for an earlier run.
  const sha256 = createHash('sha256')
    .update(`completions ${ids.join(' ')} `)
    .update(crypto.randomUUID())
    .digest('hex')
  const { rows: runs } = await sql.query<{ id: string }>(
    `INSERT INTO run (environment, pipeline, source_sha256, source_name, source_path) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    [environment, pipeline, sha256, first.system, completionsPath(first.system)],
  )
  const runId = runs[0]?.id ?? ''
  // The first completion is row 2, because row 1 of a file is its header.
  await sql.query(
    `UPDATE completion SET state = 'taken', run_id = $1, row_number = t.position + 1
     FROM unnest($2::bigint[]) WITH ORDINALITY t(id, position) WHERE completion.id = t.id`,
    [runId, ids],
  )
  return runId
}

/** Learners with a known completion, with the time of their latest one. Only `has` finds a forgotten learner. */
class KnownLearners extends Map<string, Date> {
  readonly #isForgotten: (learner: string) => boolean

  constructor(
    found: readonly { learner: string; at: Date }[],
    hasher: Pick<Hasher, 'identifier'>,
    source: { environment: string; system: string },
  ) {
    super(found.flatMap(({ learner, at }) => (isForgottenLearner(learner) ? [] : [[learner, at] as const])))
    const forgotten = new Set(found.flatMap(({ learner }) => (isForgottenLearner(learner) ? [learner] : [])))
    this.#isForgotten = (learner) =>
      forgotten.size > 0 && forgotten.has(forgottenLearner(hasher, { ...source, learner }))
  }

  override has(learner: string): boolean {
    return super.has(learner) || this.#isForgotten(learner)
  }
}
