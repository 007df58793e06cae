// Reads the metrics of archives: what waits to be downloaded, and what is kept.

import type { Sql } from '#src/platform/database/database.ts'

export interface ArchiveMetrics {
  pipeline: string
  waiting: number
  kept: number
  /** Whether nothing can be downloaded into it. */
  stuck: boolean
  /** Whether the sweep would enqueue a job for it. */
  due: boolean
}

export async function readArchiveMetrics(sql: Sql, environment: string): Promise<ArchiveMetrics[]> {
  const { rows } = await sql.query<ArchiveMetrics>(
    `SELECT a.pipeline, w.waiting, a.kept, a.problem IS NOT NULL AS stuck, w.waiting > 0 AND a.due_at <= clock_timestamp() AS due
     FROM archive a, LATERAL (
       SELECT count(*) AS waiting FROM issuance i
       WHERE i.environment = $1 AND i.pipeline = a.pipeline AND i.state = 'issued' AND i.archive_due_at IS NOT NULL) w
     WHERE a.environment = $1 AND a.watched`,
    [environment],
  )
  return rows
}

/** How much work there is for the queue of archives. Pure. */
export const dueArchives = (archives: readonly ArchiveMetrics[]) => ({
  archive: archives.filter(({ due }) => due).length,
})
