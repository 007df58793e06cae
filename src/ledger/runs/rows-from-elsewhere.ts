// What the ledger asks whoever brings rows that are in no file, while it publishes a run of them. Each is asked within
// the transaction of the publication.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'

/** A row that was recorded as forgotten. */
export interface ForgottenRow {
  row: number
  /** Whose erasure it belongs to; null if its data were to be forgotten themselves. */
  of: { erasure: string; person: number } | null
}

export interface RefusalScope {
  environment: string
  course: string
  nameFields: readonly string[]
}

export interface RowsFromElsewhere {
  /**
   * Empties and refuses staged rows that are to be forgotten themselves: their violation has the rule `forgotten`.
   * Their erasure was requested while they were in a run already, and before they had an issuance.
   */
  setAsideForgotten(sql: Sql, runId: string): Promise<void>
  /** Refuses staged rows that may be of somebody else than the issuance that has their key. */
  refuse(sql: Sql, runId: string, scope: RefusalScope): Promise<void>
  /** Notes what would happen to each row of a run that the brake holds: its staged rows are deleted after this. */
  noteHeld(sql: Sql, runId: string, course: string): Promise<void>
  /** Empties what the rows came from. */
  forget(sql: Sql, runId: string, rows: readonly ForgottenRow[], hasher: Pick<Hasher, 'identifier'>): Promise<void>
  /** @param rulesHash of all rules by which the rows were checked, to check those that are invalid again if it changes */
  noteRulesHash(sql: Sql, runId: string, rulesHash: string): Promise<void>
}

/** Where every row comes from a file. */
export const onlyFiles: RowsFromElsewhere = {
  async setAsideForgotten() {},
  async refuse() {},
  async noteHeld() {},
  async forget() {},
  async noteRulesHash() {},
}
