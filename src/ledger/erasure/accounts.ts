// The accounts by which learning systems name people. Reads the database only.

import type { Sql } from '#src/platform/database/database.ts'

export interface Account {
  system: string
  learner: string
  /** To which its completion led. */
  issuance: number | null
}

export const accountOf = ({ system, learner }: Pick<Account, 'system' | 'learner'>) => JSON.stringify([system, learner])

/** The accounts of some completions, and of those that led to some issuances. */
export async function readAccounts(
  sql: Sql,
  { ids, completions = [] }: { ids: readonly number[]; completions?: readonly number[] },
): Promise<Account[]> {
  const { rows } = await sql.query<Account>(
    `SELECT r.issuance_id AS issuance, c.system, c.learner FROM run_row r JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number
     WHERE r.issuance_id = ANY($1::bigint[]) AND r.outcome = 'accepted'
     UNION ALL SELECT NULL, system, learner FROM completion WHERE id = ANY($2::bigint[])`,
    [ids, completions],
  )
  return rows
}
