// What a process of the mutation run is told, and what it tells.

/** The tests of a mutant, the quickest first. */
export interface Order {
  mutant: number
  tests: string[]
}

export interface Orders {
  files: string[]
  /** Where to write the events. */
  events: string
  /** Without mutants, every test runs once. */
  mutants: Order[] | null
}

export type Event =
  | { test: string; ms: number; mutants: number[]; failed: string | null }
  | { mutant: number; begins: string }
  | { mutant: number; result: 'killed' | 'survived' | 'invalid'; by: string; words: string }
