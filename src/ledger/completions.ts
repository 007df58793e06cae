// The verbs about completions: a learner completed a course, by the account of a learning system. Each occasion goes into one run, once.

import { createHash } from 'node:crypto'
import type { Database, Sql } from '#src/database/database.ts'
import { isRefused, lockCompletions, refusedCompletionVerbs, waitsAgain } from './refused-completions.ts'

export interface HeardCompletion {
  /** How the system names the learner: what never changes, its own id where it has one. */
  learner: string
  course: string
  completedAt: Date
  /** Column to text, as the pipeline's `columns` name them. Holds personal data. */
  cells: Readonly<Record<string, string>>
  /** The id of the delivery that was taken at its word. */
  delivery?: number
  /** Whether that delivery was judged before. */
  again?: boolean
}

export interface CompletionSource {
  system: string
  pipeline: string
  /**
   * A completion so many milliseconds or more away from every occasion of the learner is another one, with a credential of its own. Null:
   * there is one credential for each learner and course, for ever.
   */
  renewAfterMs: number | null
}

/** Whether somebody told us, or we asked. */
export type HeardBy = 'event' | 'poll'

/** Completions that no run has, by the system that they are of. */
export interface WaitingCompletions {
  pipeline: string
  system: string
  /** They go into the next run. */
  ready: number
  /** Of runs that were refused as a whole: somebody mends the configuration first. */
  refused: number
}

export interface HeardCounts {
  /** Occasions that nobody had heard of. */
  fresh: number
  /** Completions of an occasion that is known. */
  same: number
  /** Known ones whose row was refused, and whose data are others by now or were mapped anew: they are tried again. */
  again: number
  /** Of a delivery that is judged anew and gives its completion another time by now: no second one is made of it. */
  moved: number
}

/** A completion as a row of a run. */
export interface CompletionRow {
  row: number
  cells: Record<string, string>
  /** What makes a second credential of the person legitimate; null for the first. */
  occasion: Date | null
}

/** So many go into one run: what is more makes another one. */
const mostInRun = 5_000

export function completionVerbs(db: Database, environment: string) {
  return {
    /** Notes what was heard. The same completion may be told by an event, a poll and a sweep, in any order: it counts once. */
    hear: (source: CompletionSource, heard: readonly HeardCompletion[], by: HeardBy): Promise<HeardCounts> =>
      db.transaction(async (sql) => {
        const counts = { fresh: 0, same: 0, again: 0, moved: 0 }
        await lockCompletions(sql, environment, source.pipeline)
        for (const completion of heard) counts[await hearOne(sql, environment, { ...source, by }, completion)] += 1
        return counts
      }),
    /** Learners of the system of whom a completion for the pipeline is known, by its latest instant: nobody needs to ask about them again. */
    known: async (system: string, pipeline: string): Promise<Map<string, Date>> => {
      const { rows } = await db.query<{ learner: string; at: Date }>(
        `SELECT learner, max(completed_at) AS at FROM completion WHERE environment = $1 AND system = $2 AND pipeline = $3 GROUP BY learner`,
        [environment, system, pipeline],
      )
      return new Map(rows.map(({ learner, at }) => [learner, at]))
    },
    /** Pipelines with completions that no run holds yet. */
    waiting: async (): Promise<string[]> => {
      const { rows } = await db.query<{ pipeline: string }>(
        `SELECT DISTINCT pipeline FROM completion WHERE environment = $1 AND state = 'ready'`,
        [environment],
      )
      return rows.map(({ pipeline }) => pipeline)
    },
    /** Puts what waits into a run, which then has only to be read. @returns its id, or null when nothing waits */
    gather: (pipeline: string): Promise<string | null> => db.transaction((sql) => gather(sql, environment, pipeline)),
    /** Titles of the columns that its rows have. */
    columnsOf: async (runId: string): Promise<string[]> => {
      const { rows } = await db.query<{ title: string }>(
        'SELECT DISTINCT jsonb_object_keys(cells) AS title FROM completion WHERE run_id = $1 ORDER BY title',
        [runId],
      )
      return rows.map(({ title }) => title)
    },
    /** The rows of such a run, in order, a thousand at a time. */
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
    standing: async (): Promise<WaitingCompletions[]> => {
      const { rows } = await db.query<WaitingCompletions>(
        `SELECT c.pipeline, c.system, (count(*) FILTER (WHERE c.state = 'ready'))::int AS ready, (count(*) FILTER (WHERE ${ofRefused('c')}))::int AS refused
         FROM completion c WHERE c.environment = $1 AND (c.state = 'ready' OR ${ofRefused('c')}) GROUP BY 1, 2 ORDER BY 1, 2`,
        [environment],
      )
      return rows
    },
    /** Completions whose run was refused wait again, for the configuration that refused them may be mended by now. What a person rejected stays so. */
    waitAgain: async (pipeline: string | null = null): Promise<number> =>
      (
        await db.query(
          `UPDATE completion c SET ${waitsAgain} WHERE c.environment = $1 AND ($2::text IS NULL OR c.pipeline = $2) AND ${ofRefused('c')}`,
          [environment, pipeline],
        )
      ).rowCount,
    ...refusedCompletionVerbs(db, environment),
  }
}

const ofRefused = (completion: string) =>
  `${completion}.run_id IN (SELECT id FROM run WHERE state = 'refused' AND rejected_at IS NULL)`

/** What a run of completions has in place of a path. */
export const completionsPath = (system: string) => `completions:${system}`

/** Whether a run's rows stand in the ledger, and not in a file. */
export const isOfCompletions = (sourcePath: string) => sourcePath.startsWith('completions:')

async function hearOne(
  sql: Sql,
  environment: string,
  { system, pipeline, renewAfterMs, by }: CompletionSource & { by: HeardBy },
  { learner, course, completedAt, cells, delivery, again = false }: HeardCompletion,
): Promise<keyof HeardCounts> {
  const whose = [environment, pipeline, system, learner]
  const { rows: known } = await sql.query<{ id: number; at: Date; delivery: number | null; again: boolean }>(
    `SELECT id, completed_at AS at, delivery_id AS delivery, ${isRefused} AND (cells <> $5::jsonb OR delivery_id = $6) IS TRUE AS again
     FROM completion c WHERE environment = $1 AND pipeline = $2 AND system = $3 AND learner = $4 AND state <> 'same'`,
    [...whose, JSON.stringify(cells), delivery ?? null],
  )
  const distance = (each: { at: Date }) => Math.abs(each.at.getTime() - completedAt.getTime())
  const byDistance = known.toSorted((a, b) => distance(a) - distance(b))
  const [nearest] = byDistance
  const isSame = nearest !== undefined && (renewAfterMs === null || distance(nearest) < renewAfterMs)
  const ofDelivery = again ? byDistance.find((each) => each.delivery === delivery) : undefined
  const counted = isSame ? nearest : ofDelivery
  if (counted?.again) {
    await sql.query(
      `UPDATE completion c SET ${waitsAgain}, cells = $2, delivery_id = $3, completed_at = CASE WHEN $4 AND NOT EXISTS (
         SELECT FROM completion o WHERE o.environment = c.environment AND o.pipeline = c.pipeline AND o.system = c.system AND o.learner = c.learner
         AND o.completed_at = $5) THEN $5 ELSE c.completed_at END WHERE c.id = $1`,
      [counted.id, JSON.stringify(cells), delivery ?? null, !isSame, completedAt],
    )
    return 'again'
  }
  if (!isSame && counted) return 'moved'
  const { rowCount } = await sql.query(
    `INSERT INTO completion (environment, pipeline, system, learner, course, completed_at, cells, state, occasion, heard_by, delivery_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (environment, pipeline, system, learner, completed_at) DO NOTHING`,
    [
      ...whose,
      course,
      completedAt,
      JSON.stringify(cells),
      isSame ? 'same' : 'ready',
      !isSame && nearest ? completedAt : null,
      by,
      delivery ?? null,
    ],
  )
  return isSame || rowCount === 0 ? 'same' : 'fresh'
}

async function gather(sql: Sql, environment: string, pipeline: string): Promise<string | null> {
  const { rows } = await sql.query<{ id: number; system: string }>(
    `SELECT id, system FROM completion WHERE environment = $1 AND pipeline = $2 AND state = 'ready'
     ORDER BY id LIMIT ${mostInRun} FOR UPDATE SKIP LOCKED`,
    [environment, pipeline],
  )
  const first = rows[0]
  if (!first) return null
  const ids = rows.filter((row) => row.system === first.system).map((row) => row.id)
  // Not of what is in them, which may be the same as once before: of which they are, and of this time.
  const sha256 = createHash('sha256')
    .update(`completions ${ids.join(' ')} `)
    .update(crypto.randomUUID())
    .digest('hex')
  const { rows: runs } = await sql.query<{ id: string }>(
    `INSERT INTO run (environment, pipeline, source_sha256, source_name, source_path) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    [environment, pipeline, sha256, first.system, completionsPath(first.system)],
  )
  const runId = runs[0]?.id ?? ''
  // Row 1 is the header, as in a file.
  await sql.query(
    `UPDATE completion SET state = 'taken', run_id = $1, row_number = t.position + 1
     FROM unnest($2::bigint[]) WITH ORDINALITY t(id, position) WHERE completion.id = t.id`,
    [runId, ids],
  )
  return runId
}
