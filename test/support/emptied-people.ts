// Puts people into the ledger's state after their rows were emptied for an erasure, before their files are removed.

import type { Database } from '#src/platform/database/database.ts'

/** Records an erasure of these issuances and invalid rows, and empties their rows. Returns its id. */
export async function emptyPeople(
  database: Database,
  who: { issuances?: readonly number[]; rows?: readonly { run: string; row: number }[] },
): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO erasure (environment, kind, requested_by, reason, recorded_at) VALUES ('development', 'request', 'ada', 'asked', clock_timestamp()) RETURNING id`,
  )
  const id = rows[0]?.id ?? ''
  const emptied = `cells = '[]', raw = NULL, violations = CASE WHEN outcome = 'invalid' THEN '[]'::jsonb END, reason = NULL, forgotten_at = clock_timestamp()`
  for (const issuance of who.issuances ?? []) {
    await database.query(
      'INSERT INTO erased_issuance (issuance_id, erasure_id, emptied_at) VALUES ($1, $2, clock_timestamp())',
      [issuance, id],
    )
    await database.query(`UPDATE run_row SET ${emptied} WHERE issuance_id = $1`, [issuance])
    await database.query('UPDATE issuance SET recipient = NULL, archive_due_at = NULL WHERE id = $1', [issuance])
  }
  for (const { run, row } of who.rows ?? []) {
    await database.query('INSERT INTO erased_row VALUES ($1, $2, $3, clock_timestamp())', [run, row, id])
    await database.query(`UPDATE run_row SET ${emptied} WHERE run_id = $1 AND row_number = $2`, [run, row])
  }
  return id
}
