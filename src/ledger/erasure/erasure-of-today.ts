// The erasure to which everything belongs that retention empties on one day. Writes to the database within the caller's
// transaction.

import type { Sql } from '#src/platform/database/database.ts'

/** The pipeline's erasure of this day, which is opened again if it has ended. */
export async function erasureOfToday(
  sql: Sql,
  { environment, pipeline, days }: { environment: string; pipeline: string; days: number },
): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO erasure (environment, kind, pipeline, requested_by, reason) VALUES ($1, 'retention', $2, 'retentionDays', $3)
     ON CONFLICT (environment, pipeline, ((requested_at AT TIME ZONE 'UTC')::date)) WHERE kind = 'retention' DO UPDATE SET ended_at = NULL RETURNING id`,
    [environment, pipeline, `${pipeline}: the last list is older than ${days} days`],
  )
  return rows[0]?.id ?? ''
}
