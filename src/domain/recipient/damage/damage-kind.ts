// The type of one kind of damage: something that a value suffered before it reached the file or the learning system,
// or something that is not what its field is for.

import type { ViolationRule } from '../violation.ts'

/** What a value is used for, which decides what may be in it. */
export type Use = 'name' | 'address' | 'birth date' | 'text'

export interface FilledCell {
  /** The cleaned value; never empty. */
  value: string
  use: Use
  /** The cell's type in a spreadsheet; undefined in a CSV and for a constant. */
  kind: string | undefined
  /** The value comes from a column, not from a constant of the configuration. */
  fromColumn: boolean
  /** The value is one of the course's options for the field. */
  isOption: boolean
  /** YYYY-MM-DD; undefined where the day does not matter. */
  today?: string | undefined
}

export interface DamageKind {
  rule: ViolationRule
  /** The uses of the values that are checked; `any` stands for all. */
  use: Use | 'any'
  /** What it is, as a row of a table in docs/files.md. */
  title: string
  finds: (cell: FilledCell) => boolean
  /** What is wrong, as a clause that continues “Column holds (masked value), …”, without a full stop. */
  wrong: string
  /** What to do, as a sentence. */
  remedy: string
  /** An operator cannot let the rule rest for a column, because no real value looks like that. */
  neverRests?: boolean
  /** The kind is found even in a value that is one of the course's options, because it cannot be sent. */
  evenInOptions?: boolean
  /**
   * What is wrong with values that break the rule, whatever the kind, without `which`; given with the first of several
   * kinds.
   */
  ofMany?: string
  /** Values of the kind's use that it must find, and values near them that it must not find. */
  catches: readonly [string, string, string, ...string[]]
  passes: readonly [string, string, string, ...string[]]
}
