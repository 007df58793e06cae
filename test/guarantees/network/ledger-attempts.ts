// Reads the calls of a ledger with their recorded outcomes.

import type { World } from '#test/support/world.ts'

export interface LedgerAttempt {
  outcome: string | null
  status: number | null
  code: string | null
}

/** Every claimed attempt, in order. */
export async function attemptsOf({ app }: Pick<World, 'app'>): Promise<LedgerAttempt[]> {
  const { rows } = await app.database.query<LedgerAttempt>(
    `SELECT outcome, http_status AS status, error_code AS code FROM attempt WHERE sending_at IS NOT NULL ORDER BY id`,
  )
  return rows
}
