// Reads a row of a source that names a known issuance, so that the issuance can be corrected with the data of the row.
// Reads the database only.

import type { Sql } from '#src/platform/database/database.ts'

export interface NamingRow {
  cells: string[]
  /** Name of the row's source. */
  source: string
  /** SHA-256 of the row's image, if it differs from the issuance's. */
  image: Buffer | null
  /** Whether the ledger still has that image. */
  imageKept: boolean
}

/** @returns null if the row does not name the issuance */
export async function namingRow(
  sql: Sql,
  environment: string,
  { runId, row, issuanceId }: { runId: string; row: number; issuanceId: number },
): Promise<NamingRow | null> {
  const { rows } = await sql.query<NamingRow>(
    `SELECT r.cells, run.source_name AS source, CASE WHEN r.image_sha256 IS DISTINCT FROM i.image_sha256 THEN r.image_sha256 END AS image,
            EXISTS (SELECT FROM image m WHERE m.sha256 = r.image_sha256) AS "imageKept"
     FROM run_row r JOIN run ON run.id = r.run_id JOIN issuance i ON i.id = r.issuance_id
     WHERE run.environment = $1 AND r.run_id = $2 AND r.row_number = $3 AND r.issuance_id = $4 AND r.forgotten_at IS NULL`,
    [environment, runId, row, issuanceId],
  )
  return rows[0] ?? null
}
