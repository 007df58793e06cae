// The messages between the mutation run and its processes: the orders that a process receives, and the events that it
// writes. Types only.

/** A mutant with the tests to run against it, the quickest first. */
export interface Order {
  mutant: number
  tests: string[]
}

export interface Orders {
  files: readonly string[]
  /** The file to which the process appends its events. */
  events: string
  /** Null to run every test once, without a mutant. */
  mutants: Order[] | null
}

export type Event =
  | { test: string; ms: number; mutants: number[]; failed: string | null }
  | { mutant: number; begins: string }
  | { mutant: number; result: 'killed' | 'survived' | 'invalid'; by: string; words: string }
