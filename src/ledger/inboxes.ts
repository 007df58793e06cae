// What the ledger knows of inboxes: when each was looked at, which run each taken file is, and which files have come to their end.

import type { Database, Sql } from '#src/database/database.ts'

export interface InboxLook {
  environment: string
  pipeline: string
  lastDueAt: Date
  lookedAt: Date | null
  /** Taken at the last look that took any, and when that was. */
  files: number
  filesAt: Date | null
  againAt: Date | null
  /** The last time that due times went by: the first of them, how many, and when that was made good. */
  missedAt: Date | null
  missed: number
  caughtUpAt: Date | null
  problem: string | null
  /** What lay there and was not taken, at the last look; null for nothing. */
  leftLying: { count: number; examples: { name: string; why: string }[] } | null
}

const columns = `environment, pipeline, last_due_at AS "lastDueAt", looked_at AS "lookedAt", files, files_at AS "filesAt", again_at AS "againAt",
  missed_at AS "missedAt", missed, caught_up_at AS "caughtUpAt", problem, left_lying AS "leftLying"`

export interface TakenSource {
  pipeline: string
  sourceName: string
  /** In processing. */
  sourcePath: string
  sourceSha256: string
  /** Eight hexadecimal letters with which the id of its run is to begin; null for any. */
  letters: string | null
}

/** What became of a taken file: a run of its own; one it had already; none, since a run with its content goes on, or has not been read yet. */
export type Received = { runId: string; as: 'new' | 'known' | 'copy' | 'waits'; sentence: string | null }

export interface UnfiledRun {
  id: string
  sourcePath: string
  state: string
  refusal: string | null
  sourceSha256: string
  /** Whether the brake ever held it. */
  braked: boolean
}

/** The verbs of one environment; `any` lists those of all. */
export function inboxVerbs(db: Database, environment: string, lostAfterMs: number) {
  return {
    /** All inboxes that were ever looked at, by name. */
    looks: async () =>
      (
        await db.query<InboxLook>(
          `SELECT ${columns} FROM inbox_look WHERE $1 IN (environment, 'any') ORDER BY environment, pipeline`,
          [environment],
        )
      ).rows,
    lookOf: (pipeline: string, firstDueAt: Date) => lookOf(db, environment, pipeline, firstDueAt),
    take: (pipeline: string) => takeInbox(db, environment, pipeline, lostAfterMs),
    noteLook: (pipeline: string, look: FinishedLook) => noteLook(db, environment, pipeline, look),
    /** All went well. Takes the stamp of asking away, so that the next look can be asked for at once. */
    noteTended: async (pipeline: string) =>
      void (await db.query(
        'UPDATE inbox_look SET asked_at = NULL, problem = NULL WHERE environment = $1 AND pipeline = $2',
        [environment, pipeline],
      )),
    noteProblem: (pipeline: string, problem: string) => noteProblem(db, environment, pipeline, problem),
    receive: (source: TakenSource) => receiveFile(db, environment, source),
    namedFiles: (paths: readonly string[]) => namedFiles(db, paths),
    unfiled: (pipeline: string) => unfiledRuns(db, environment, pipeline),
    pipelinesToFile: () => pipelinesToFile(db, environment),
    noteFiled: (runId: string, path: string | null) => noteFiled(db, runId, path),
  }
}

/** The memory of one inbox. One that nobody has looked at yet begins with `firstDueAt` as answered. */
async function lookOf(sql: Sql, environment: string, pipeline: string, firstDueAt: Date): Promise<InboxLook> {
  const key = [environment, pipeline]
  await sql.query(
    'INSERT INTO inbox_look (environment, pipeline, last_due_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [...key, firstDueAt],
  )
  const { rows } = await sql.query<InboxLook>(
    `SELECT ${columns} FROM inbox_look WHERE environment = $1 AND pipeline = $2`,
    key,
  )
  return rows[0] as InboxLook
}

/** True when nobody was asked lately. */
async function takeInbox(sql: Sql, environment: string, pipeline: string, lostAfterMs: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE inbox_look SET asked_at = clock_timestamp() WHERE environment = $1 AND pipeline = $2
       AND (asked_at IS NULL OR asked_at < clock_timestamp() - make_interval(secs => $3))`,
    [environment, pipeline, lostAfterMs / 1_000],
  )
  return rowCount > 0
}

export interface FinishedLook {
  at: Date
  againAt: Date | null
  /** Null when files were only put away. */
  look: {
    answers: Date
    files: number
    missed: { at: Date; count: number } | null
    leftLying: InboxLook['leftLying']
  } | null
}

async function noteLook(sql: Sql, environment: string, pipeline: string, { at, againAt, look }: FinishedLook) {
  const key = [environment, pipeline]
  if (!look) {
    const values = [...key, againAt]
    await sql.query('UPDATE inbox_look SET again_at = $3 WHERE environment = $1 AND pipeline = $2', values)
    return
  }
  await sql.query(
    `UPDATE inbox_look SET again_at = $3, looked_at = $4, last_due_at = $5,
       files = CASE WHEN $6::int > 0 THEN $6 ELSE files END, files_at = CASE WHEN $6 > 0 THEN $4 ELSE files_at END,
       missed_at = coalesce($7, missed_at), missed = coalesce($8, missed), caught_up_at = CASE WHEN $8 IS NULL THEN caught_up_at ELSE $4 END,
       left_lying = $9
     WHERE environment = $1 AND pipeline = $2`,
    [
      ...key,
      againAt,
      at,
      look.answers,
      look.files,
      look.missed?.at ?? null,
      look.missed?.count ?? null,
      look.leftLying && JSON.stringify(look.leftLying),
    ],
  )
}

/** The stamp of asking stays, so that a folder that is away is tried again after a while and not at every sweep. True when it is news. */
async function noteProblem(sql: Sql, environment: string, pipeline: string, problem: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE inbox_look SET problem = $3 WHERE environment = $1 AND pipeline = $2 AND problem IS DISTINCT FROM $3',
    [environment, pipeline, problem],
  )
  return rowCount > 0
}

/**
 * Notes a taken file, once: a second call for the same path finds its run. The same content again is a run of its own that says so,
 * except while a run with it goes on: that run keeps the file it has, so no run ever has two.
 */
async function receiveFile(database: Database, environment: string, source: TakenSource): Promise<Received> {
  const { pipeline, sourceName, sourcePath, sourceSha256 } = source
  return database.transaction(async (sql) => {
    const same = [environment, pipeline, sourceSha256]
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`credsync:receive:${same.join(':')}`])
    const known = await sql.query<{ id: string }>('SELECT id FROM run WHERE inbox AND source_path = $1', [sourcePath])
    if (known.rows[0]) return { runId: known.rows[0].id, as: 'known', sentence: null }
    const { rows: earlier } = await sql.query<EarlierRun>(
      `SELECT id, state, settled_at IS NULL AS unfinished,
              'The same content was received on ' || to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') || ' as ' || source_name || ' (run ' || id || ').' AS sentence
       FROM run WHERE environment = $1 AND pipeline = $2 AND source_sha256 = $3
       ORDER BY settled_at IS NULL DESC, received_at DESC LIMIT 1`,
      same,
    )
    const [last] = earlier
    if (last?.unfinished) return whileUnfinished(last)
    const sentence = last ? `${last.sentence}${last.state === 'refused' ? ' It was refused.' : ''}` : null
    const { rows } = await sql.query<{ id: string }>(
      `INSERT INTO run (id, environment, pipeline, source_sha256, source_name, source_path, inbox, notices)
       VALUES (overlay(gen_random_uuid()::text PLACING coalesce($7, left(gen_random_uuid()::text, 8)) FROM 1)::uuid, $1, $2, $3, $4, $5, true, $6) RETURNING id`,
      [...same, sourceName, sourcePath, JSON.stringify(sentence ? [sentence] : []), source.letters],
    )
    return { runId: (rows[0] as { id: string }).id, as: 'new', sentence }
  })
}

interface EarlierRun {
  id: string
  state: string
  unfinished: boolean
  sentence: string
}

/** A run that was not read yet may still be refused, its file having gone: until it is read, this copy is kept ready. */
function whileUnfinished({ id, state, sentence }: EarlierRun): Received {
  if (state === 'received') return { runId: id, as: 'waits', sentence: null }
  const now = state === 'braked' ? 'is held by the brake' : 'is not finished yet'
  return {
    runId: id,
    as: 'copy',
    sentence: `${sentence} That run ${now}; nothing was done with this copy, and nothing needs to be.`,
  }
}

/** Those of the paths that are some run's file. Of any environment: whoever has it, it is not to be taken for left behind. */
async function namedFiles(sql: Sql, paths: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql.query<{ path: string }>(
    'SELECT source_path AS path FROM run WHERE inbox AND source_path = ANY($1)',
    [paths],
  )
  return new Set(rows.map((row) => row.path))
}

/** Whoever finds a file in `done` looks for its results next: they are written first. */
const toFile = `inbox AND filed_at IS NULL AND settled_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM write_back w WHERE w.run_id = run.id AND w.told < w.wanted)`

async function unfiledRuns(sql: Sql, environment: string, pipeline: string): Promise<UnfiledRun[]> {
  const { rows } = await sql.query<UnfiledRun>(
    `SELECT id, source_path AS "sourcePath", source_sha256 AS "sourceSha256", state, refusal, braked_at IS NOT NULL AS braked FROM run
     WHERE environment = $1 AND pipeline = $2 AND ${toFile} ORDER BY settled_at`,
    [environment, pipeline],
  )
  return rows
}

async function pipelinesToFile(sql: Sql, environment: string): Promise<Set<string>> {
  const { rows } = await sql.query<{ pipeline: string }>(
    `SELECT DISTINCT pipeline FROM run WHERE environment = $1 AND ${toFile}`,
    [environment],
  )
  return new Set(rows.map((row) => row.pipeline))
}

/** @param path where the file is now; null when it was found nowhere, and the run keeps the path it had */
async function noteFiled(sql: Sql, runId: string, path: string | null): Promise<void> {
  await sql.query(
    'UPDATE run SET filed_at = clock_timestamp(), source_path = coalesce($2, source_path) WHERE id = $1',
    [runId, path],
  )
}
