// Counts what an erasure would empty, before it is requested. Reads the database only.

import type { Sql } from '#src/platform/database/database.ts'

export interface ErasureCounts {
  issuances: number
  /** Rows that wait to be sent, and that are withdrawn. */
  withdrawn: number
  /** Issuances whose call, decision or report is waited for. */
  underWay: number
  /** Valid credentials, which the service keeps. */
  issued: number
  /** Rows of lists, and the lists whose files are written again. */
  rows: number
  lists: number
  completions: number
  certificates: number
  /** Outcomes that learning systems were told. */
  told: number
}

export async function countErasure(
  sql: Sql,
  {
    ids,
    rows,
    completions,
  }: { ids: readonly number[]; rows: readonly { run: string; row: number }[]; completions: readonly number[] },
): Promise<ErasureCounts> {
  const { rows: counted } = await sql.query<ErasureCounts>(
    `WITH named AS (SELECT run_id, row_number FROM run_row WHERE issuance_id = ANY($1::bigint[])
       UNION SELECT * FROM unnest($2::uuid[], $3::int[]))
     SELECT count(*) AS issuances, count(*) FILTER (WHERE state = 'pending') AS withdrawn, count(*) FILTER (WHERE state = 'issued') AS issued,
            count(*) FILTER (WHERE state IN ('sending', 'unconfirmed', 'requested', 'in_progress', 'held')) AS "underWay",
            (SELECT count(*) FROM named) AS rows, (SELECT count(DISTINCT run_id) FROM named) AS lists,
            (SELECT count(*) FROM (SELECT unnest($4::bigint[]) UNION SELECT c.id FROM named JOIN completion c USING (run_id, row_number)) c) AS completions,
            (SELECT count(file) FROM archived_certificate WHERE issuance_id = ANY($1)) AS certificates,
            (SELECT count(*) FROM delivery WHERE issuance_id = ANY($1) AND written_at IS NOT NULL) AS told
     FROM issuance WHERE id = ANY($1)`,
    [ids, rows.map(({ run }) => run), rows.map(({ row }) => row), completions],
  )
  return counted[0] as ErasureCounts
}
