// Creates a run for a file that was taken from an inbox, at most once for each file. Reads and writes the database; the
// caller has already moved the file.

import type { Database, Sql } from '#src/platform/database/database.ts'

export interface TakenSource {
  pipeline: string
  sourceName: string
  /** The file's path in the folder of files that are being processed. */
  sourcePath: string
  sourceSha256: string
  /** The eight hexadecimal digits with which the id of its run must begin; null if any id will do. */
  runIdPrefix: string | null
}

/**
 * The result for a taken file. `new` means that a run was created, and `known` that its path already had a run. `copy`
 * means that a run with the same content is unfinished, so this file gets none. `waits` is like `copy`, but that run
 * has not been read yet.
 */
export type ReceivedFile = { runId: string; as: 'new' | 'known' | 'copy' | 'waits'; sentence: string | null }

/**
 * Records a taken file once. A second call for the same path finds its run. If an earlier run had the same content, the
 * new run gets a notice about that. If the earlier run is unfinished, no run is created, so that the same content never
 * has two unfinished runs.
 */
export async function receiveFile(database: Database, environment: string, source: TakenSource): Promise<ReceivedFile> {
  const { pipeline, sourceName, sourcePath, sourceSha256 } = source
  return database.transaction(async (sql) => {
    const contentKey = [environment, pipeline, sourceSha256]
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `credsync:receive:${contentKey.join(':')}`,
    ])
    const known = await sql.query<{ id: string }>('SELECT id FROM run WHERE inbox AND source_path = $1', [sourcePath])
    if (known.rows[0]) return { runId: known.rows[0].id, as: 'known', sentence: null }
    const { rows: earlier } = await sql.query<EarlierRun>(
      `SELECT id, state, settled_at IS NULL AS unfinished,
              'The same content was received on ' || to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') || ' as ' || source_name || ' (run ' || id || ').' AS sentence
       FROM run WHERE environment = $1 AND pipeline = $2 AND source_sha256 = $3
       ORDER BY settled_at IS NULL DESC, received_at DESC LIMIT 1`,
      contentKey,
    )
    const [last] = earlier
    if (last?.unfinished) {
      await noteCopy(sql, { environment, pipeline, runId: last.id, path: sourcePath })
      return whileUnfinished(last)
    }
    // The file may have been waiting as a copy for a run that was refused in the meantime.
    await sql.query('DELETE FROM list_copy WHERE path = $1', [sourcePath])
    const sentence = last ? `${last.sentence}${last.state === 'refused' ? ' It was refused.' : ''}` : null
    const { rows } = await sql.query<{ id: string }>(
      `INSERT INTO run (id, environment, pipeline, source_sha256, source_name, source_path, inbox, notices)
       VALUES (overlay(gen_random_uuid()::text PLACING coalesce($7, left(gen_random_uuid()::text, 8)) FROM 1)::uuid, $1, $2, $3, $4, $5, true, $6) RETURNING id`,
      [...contentKey, sourceName, sourcePath, JSON.stringify(sentence ? [sentence] : []), source.runIdPrefix],
    )
    return { runId: (rows[0] as { id: string }).id, as: 'new', sentence }
  })
}

/**
 * Records that a list arrived again while its run is unfinished. It counts as received, although it gets no run.
 * @param path null if the list was submitted with a command
 */
export async function noteCopy(
  sql: Sql,
  { environment, pipeline, runId, path }: { environment: string; pipeline: string; runId: string; path: string | null },
): Promise<void> {
  await sql.query(
    `INSERT INTO list_copy (environment, pipeline, run_id, path) VALUES ($1, $2, $3, $4)
     ON CONFLICT (path) DO UPDATE SET run_id = excluded.run_id WHERE list_copy.run_id <> excluded.run_id`,
    [environment, pipeline, runId, path],
  )
}

interface EarlierRun {
  id: string
  state: string
  unfinished: boolean
  sentence: string
}

/**
 * Returns the result for a file with the same content as an unfinished run. As long as that run has not been read, it
 * may still be refused because its file is missing, so the copy is kept until then.
 */
function whileUnfinished({ id, state, sentence }: EarlierRun): ReceivedFile {
  if (state === 'received') return { runId: id, as: 'waits', sentence: null }
  const status = state === 'braked' ? 'is held by the brake' : 'is not finished yet'
  return {
    runId: id,
    as: 'copy',
    sentence: `${sentence} That run ${status}; this copy is ignored, and no action is needed.`,
  }
}
