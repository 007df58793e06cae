// The interface through which the ledger uses the extension that provides rows from sources other than files, such as
// completions from a learning system.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'

/** A row that was recorded as forgotten. */
export interface ForgottenRow {
  row: number
  /** The person of an erasure whom the row is about; null if the erasure was requested for the row itself. */
  of: { erasure: string; person: number } | null
}

export interface RefusalScope {
  environment: string
  course: string
  nameFields: readonly string[]
}

/** A person in a run that the brake holds, whose row comes from no file. */
export interface HeldPerson {
  row: number
  /** The learner's identifier in the learning system. */
  learner: string
  cells: Readonly<Record<string, string>>
  /** What would happen to the row. `known` means that the ledger already has the credential. */
  heldAs: 'issue' | 'known' | 'invalid'
}

/** A row about a person that has not led to a credential, because it is in no run yet or was not issued. */
export interface WaitingRow {
  environment: string
  system: string
  pipeline: string
  /** The learner's id in the learning system. */
  learner: string
  course: string
  completedAt: Date
  foundAt: Date
  /** The run that contains the row, and the state of that run; null if it is not in a run yet. */
  run: string | null
  runState: string | null
  /** Whether an operator rejected the run, so that none of its rows are issued. */
  isRejected: boolean
  row: number | null
  /** Why the run was refused or the row is invalid, or why the row is not issued. */
  reason: string | null
}

export interface RowsOfPerson {
  /** The issuances that resulted from the person's rows. */
  issuances: readonly number[]
  /** The rows that have not led to an issuance. */
  waiting: readonly WaitingRow[]
}

/** The first five functions are called within the transaction of a publication. */
export interface RowsFromElsewhere {
  /**
   * Deletes the data of staged rows for which an erasure was requested when they were already in a run but had no
   * issuance yet. The rows are refused with a violation of the rule `forgotten`.
   */
  setAsideForgotten(sql: Sql, runId: string): Promise<void>
  /** Refuses staged rows that may be about someone other than the person of the issuance with their key. */
  refuse(sql: Sql, runId: string, scope: RefusalScope): Promise<void>
  /**
   * Records what would happen to each row of a run that the brake holds, because the staged rows are deleted
   * afterwards.
   */
  noteHeld(sql: Sql, runId: string, course: string): Promise<void>
  /** Deletes the data from which the rows were made. */
  forget(sql: Sql, runId: string, rows: readonly ForgottenRow[], hasher: Pick<Hasher, 'identifier'>): Promise<void>
  /**
   * @param rulesHash the hash of all rules by which the rows were checked; when it changes, invalid rows are checked
   * again
   */
  noteRulesHash(sql: Sql, runId: string, rulesHash: string): Promise<void>
  /** Returns the rows of a run that the brake holds, in order, each with its expected outcome. */
  held(sql: Sql, runId: string): Promise<HeldPerson[]>
  /** @param who how the source identifies the person: an id, a user name or an e-mail address */
  ofPerson(sql: Sql, environment: string, who: string): Promise<RowsOfPerson>
  /**
   * Returns when a person earned a further credential, by its issuance. Issuances of a first credential are left out.
   */
  occasions(sql: Sql, issuances: readonly number[]): Promise<ReadonlyMap<number, Date>>
}

/** The functions that can be called outside a publication. */
export const elsewhereStore = (db: Sql, environment: string, elsewhere: RowsFromElsewhere) => ({
  held: (runId: string) => elsewhere.held(db, runId),
  ofPerson: (who: string) => elsewhere.ofPerson(db, environment, who),
})

/** Used for a ledger in which every row comes from a file. */
export const onlyFiles: RowsFromElsewhere = {
  async setAsideForgotten() {},
  async refuse() {},
  async noteHeld() {},
  async forget() {},
  async noteRulesHash() {},
  held: async () => [],
  ofPerson: async () => ({ issuances: [], waiting: [] }),
  occasions: async () => new Map(),
}
