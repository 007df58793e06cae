// The interface through which the ledger uses the part that brings rows that are in no file, such as completions of a
// learning system.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'

/** A row that was recorded as forgotten. */
export interface ForgottenRow {
  row: number
  /** The erasure that it belongs to; null if the row itself was to be forgotten. */
  of: { erasure: string; person: number } | null
}

export interface RefusalScope {
  environment: string
  course: string
  nameFields: readonly string[]
}

/** A person who is in a run that the brake holds, but in no file. */
export interface HeldPerson {
  row: number
  /** The learner's identifier in the learning system. */
  learner: string
  cells: Readonly<Record<string, string>>
  /** What would happen to the row. `known`: the ledger already has the credential. */
  heldAs: 'issue' | 'known' | 'invalid'
}

/** A row about a person, without a credential, that is in no run or has not been issued. */
export interface WaitingRow {
  environment: string
  system: string
  pipeline: string
  /** The learner's id in the learning system. */
  learner: string
  course: string
  completedAt: Date
  heardAt: Date
  /** The run that contains the row, and the state of that run; null if it is not in a run yet. */
  run: string | null
  runState: string | null
  /** Whether an operator rejected the run, so that none of its rows is issued. */
  isRejected: boolean
  row: number | null
  /** Why the run was refused or the row is invalid, or why the row is not issued. */
  reason: string | null
}

export interface RowsOfPerson {
  /** The issuances that rows led to. */
  issuances: readonly number[]
  /** The rows that have led to none. */
  waiting: readonly WaitingRow[]
}

/** The first five are called within the transaction of a publication. */
export interface RowsFromElsewhere {
  /**
   * Empties and refuses staged rows that are to be forgotten themselves: their violation has the rule `forgotten`.
   * Their erasure was requested when they were already in a run and had no issuance yet.
   */
  setAsideForgotten(sql: Sql, runId: string): Promise<void>
  /** Refuses staged rows that may be about someone other than the person of the issuance with their key. */
  refuse(sql: Sql, runId: string, scope: RefusalScope): Promise<void>
  /** Notes what would happen to each row of a run that the brake holds: its staged rows are deleted after this. */
  noteHeld(sql: Sql, runId: string, course: string): Promise<void>
  /** Empties what the rows came from. */
  forget(sql: Sql, runId: string, rows: readonly ForgottenRow[], hasher: Pick<Hasher, 'identifier'>): Promise<void>
  /** @param rulesHash of all rules by which the rows were checked: when it changes, invalid rows are checked again */
  noteRulesHash(sql: Sql, runId: string, rulesHash: string): Promise<void>
  /** The rows of a run that the brake holds, in order, each with its expected outcome. */
  held(sql: Sql, runId: string): Promise<HeldPerson[]>
  /** @param who what the person is called elsewhere: an id, a user name, an e-mail address */
  ofPerson(sql: Sql, environment: string, who: string): Promise<RowsOfPerson>
  /** When the further credential of its person was earned, by the issuance; those of a first one are left out. */
  occasions(sql: Sql, issuances: readonly number[]): Promise<ReadonlyMap<number, Date>>
}

/** What can be called outside a publication. */
export const elsewhereStore = (db: Sql, environment: string, elsewhere: RowsFromElsewhere) => ({
  held: (runId: string) => elsewhere.held(db, runId),
  ofPerson: (who: string) => elsewhere.ofPerson(db, environment, who),
})

/** For a ledger in which every row comes from a file. */
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
