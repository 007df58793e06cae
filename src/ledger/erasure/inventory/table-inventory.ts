// The shape of an entry of the inventory: what one table of the ledger holds about people.

/** A column that may hold what identifies or describes a person. */
export interface PersonalColumn {
  holds: string
  /** What it is needed for. */
  why: string
  /** What becomes of it when its person is forgotten. */
  emptied: string
}

export interface TableInventory {
  /** What one row is. */
  holds: string
  /** How long its rows are kept. */
  kept: string
  personal?: Readonly<Record<string, PersonalColumn>>
  /** Columns that say nothing by themselves, but lead to a person together with other data. They stay. */
  pseudonymous?: Readonly<Record<string, string>>
  /** Columns about operators: their names, their addresses, and what they wrote. They stay, as the record of who decided. */
  staff?: Readonly<Record<string, string>>
  /** All other columns: ids, states, times and counts of the work. Names, separated by white space. */
  others: string
}

/** The ledger has no end by itself; retention is a setting. */
export const always = 'as long as the ledger'
