// Stores the state of inboxes in the database: when each was scanned, the run of each taken file, and which files are
// finished and can be moved away. Does not touch the files themselves.

import type { Database } from '#src/platform/database/database.ts'
import { receiveFile, type TakenSource } from './receive-file.ts'

/** What the ledger has recorded about one inbox. */
export interface InboxRecord {
  environment: string
  pipeline: string
  lastDueAt: Date
  lookedAt: Date | null
  /** The number of files taken by the last scan that took any, and the time of that scan. */
  files: number
  filesAt: Date | null
  /** When the inbox is scanned again before its next scheduled time; null if no such scan is planned. */
  againAt: Date | null
  /**
   * The most recently missed scheduled scans: when the first was due, how many were missed, and when a scan made up for
   * them.
   */
  missedAt: Date | null
  missed: number
  caughtUpAt: Date | null
  problem: string | null
  /** Files that the last scan found but did not take; null if there were none. */
  leftLying: { count: number; examples: { name: string; why: string }[] } | null
}

const inboxColumns = `environment, pipeline, last_due_at AS "lastDueAt", looked_at AS "lookedAt", files, files_at AS "filesAt", again_at AS "againAt",
  missed_at AS "missedAt", missed, caught_up_at AS "caughtUpAt", problem, left_lying AS "leftLying"`

/** A settled run whose file can be moved away. */
export interface UnfiledRun {
  id: string
  sourcePath: string
  state: string
  refusal: string | null
  sourceSha256: string
  /** Whether the brake has ever held it. */
  braked: boolean
}

/** The result of a job for an inbox. */
export interface FinishedScan {
  at: Date
  /** When to scan the inbox again before its next scheduled time; null for no such scan. */
  againAt: Date | null
  /** Null if finished files were moved away but the inbox was not scanned. */
  scan: {
    /** The latest due time that this scan covers. */
    answers: Date
    files: number
    missed: { at: Date; count: number } | null
    leftLying: InboxRecord['leftLying']
  } | null
}

/** SQL: the inbox, by its environment and name. */
const isThis = 'environment = $1 AND pipeline = $2'

/**
 * SQL: whether a run's file can be moved away. Its results must be written first, because people look for them as soon
 * as the file has moved.
 */
const isToFile = `inbox AND filed_at IS NULL AND settled_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM write_back w WHERE w.run_id = run.id AND w.written < w.wanted)`

/** @param environment `any` lists the inboxes of every environment */
export function inboxStore(db: Database, environment: string, lostAfterMs: number) {
  const find = async (pipeline: string) => {
    const text = `SELECT ${inboxColumns} FROM inbox_look WHERE ${isThis}`
    return (await db.query<InboxRecord>(text, [environment, pipeline])).rows[0]
  }
  return {
    /** Returns all inboxes that were ever scanned, by name. */
    async statuses(): Promise<InboxRecord[]> {
      const { rows } = await db.query<InboxRecord>(
        `SELECT ${inboxColumns} FROM inbox_look WHERE $1 IN (environment, 'any') ORDER BY environment, pipeline`,
        [environment],
      )
      return rows
    },
    /**
     * Returns the record of an inbox, and creates it if it is missing. In a new record, the scan due at `firstDueAt`
     * counts as done.
     */
    async status(pipeline: string, firstDueAt: Date): Promise<InboxRecord> {
      const known = await find(pipeline)
      if (known) return known
      await db.query(
        'INSERT INTO inbox_look (environment, pipeline, last_due_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [environment, pipeline, firstDueAt],
      )
      return (await find(pipeline)) as InboxRecord
    },
    /** Returns true if no job for the inbox was enqueued recently, and records that one is enqueued now. */
    async take(pipeline: string): Promise<boolean> {
      const { rowCount } = await db.query(
        `UPDATE inbox_look SET asked_at = clock_timestamp() WHERE ${isThis}
           AND (asked_at IS NULL OR asked_at < clock_timestamp() - make_interval(secs => $3))`,
        [environment, pipeline, lostAfterMs / 1_000],
      )
      return rowCount > 0
    },
    async noteScan(pipeline: string, { at, againAt, scan }: FinishedScan): Promise<void> {
      const values = [environment, pipeline, againAt]
      if (!scan) return void (await db.query(`UPDATE inbox_look SET again_at = $3 WHERE ${isThis}`, values))
      const { answers, files, missed, leftLying } = scan
      await db.query(
        `UPDATE inbox_look SET again_at = $3, looked_at = $4, last_due_at = $5,
           files = CASE WHEN $6::int > 0 THEN $6 ELSE files END, files_at = CASE WHEN $6 > 0 THEN $4 ELSE files_at END,
           missed_at = coalesce($7, missed_at), missed = coalesce($8, missed), caught_up_at = CASE WHEN $8 IS NULL THEN caught_up_at ELSE $4 END,
           left_lying = $9
         WHERE ${isThis}`,
        [...values, at, answers, files, missed?.at, missed?.count, leftLying && JSON.stringify(leftLying)],
      )
    },
    /** Records that a scan succeeded. Clears the enqueue time, so that the next scan can be queued immediately. */
    async noteFinished(pipeline: string): Promise<void> {
      // The condition avoids needless writes: an inbox may be scanned every second, and usually there is nothing to
      // clear.
      await db.query(
        `UPDATE inbox_look SET asked_at = NULL, problem = NULL
         WHERE ${isThis} AND (asked_at IS NOT NULL OR problem IS NOT NULL)`,
        [environment, pipeline],
      )
    },
    /**
     * Records why an inbox cannot be scanned. Keeps the enqueue time, so that an unavailable folder is retried after a
     * while rather than with every sweep.
     * @returns whether this problem is new
     */
    async noteProblem(pipeline: string, problem: string): Promise<boolean> {
      const { rowCount } = await db.query(
        `UPDATE inbox_look SET problem = $3 WHERE ${isThis} AND problem IS DISTINCT FROM $3`,
        [environment, pipeline, problem],
      )
      return rowCount > 0
    },
    receive: (source: TakenSource) => receiveFile(db, environment, source),
    /**
     * Returns those of the paths that belong to a run of any environment, so that their files do not count as
     * leftovers.
     */
    async namedFiles(paths: readonly string[]): Promise<Set<string>> {
      if (paths.length === 0) return new Set()
      const { rows } = await db.query<{ path: string }>(
        'SELECT source_path AS path FROM run WHERE inbox AND source_path = ANY($1)',
        [paths],
      )
      return new Set(rows.map((row) => row.path))
    },
    async unfiled(pipeline: string): Promise<UnfiledRun[]> {
      const { rows } = await db.query<UnfiledRun>(
        `SELECT id, source_path AS "sourcePath", source_sha256 AS "sourceSha256", state, refusal, braked_at IS NOT NULL AS braked FROM run
         WHERE ${isThis} AND ${isToFile} ORDER BY settled_at`,
        [environment, pipeline],
      )
      return rows
    },
    async pipelinesToFile(): Promise<Set<string>> {
      const { rows } = await db.query<{ pipeline: string }>(
        `SELECT DISTINCT pipeline FROM run WHERE environment = $1 AND ${isToFile}`,
        [environment],
      )
      return new Set(rows.map((row) => row.pipeline))
    },
    /** Records that a run's file was moved. @param path its new path; null if the file was not found */
    async noteFiled(runId: string, path: string | null): Promise<void> {
      await db.query(
        'UPDATE run SET filed_at = clock_timestamp(), source_path = coalesce($2, source_path) WHERE id = $1',
        [runId, path],
      )
    },
  }
}
