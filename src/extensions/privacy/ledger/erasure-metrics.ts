// Reads the metrics of erasures.

import type { Sql } from '#src/platform/database/database.ts'

export interface ErasureMetrics {
  /** Erasures that somebody asked for and that are not carried out. */
  open: number
  /** Seconds since the oldest of them was requested; 0 if there is none. */
  oldestS: number
}

export async function readErasureMetrics(sql: Sql, environment: string): Promise<ErasureMetrics> {
  const { rows } = await sql.query<ErasureMetrics>(
    `SELECT count(*) AS open, coalesce(extract(epoch FROM clock_timestamp() - min(requested_at)), 0)::float AS "oldestS"
     FROM erasure WHERE environment = $1 AND kind = 'request' AND ended_at IS NULL`,
    [environment],
  )
  return rows[0] as ErasureMetrics
}
