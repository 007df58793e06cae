// The form of the lists in this folder: mutants that survive and do no harm, each with the reason. A mutant is named by
// its code, so that its entry moves with it; a test fails if the mutant no longer exists. The score counts these mutants
// as survivors.

export interface HarmlessMutants {
  /** The line on which the mutated code begins, without the spaces around it. */
  line: string
  /** The code and what it becomes, as the report shows them. */
  mutants: readonly (readonly [code: string, becomes: string])[]
  /** Why nobody would notice. */
  why: string
}

export type HarmlessByFile = Readonly<Record<string, readonly HarmlessMutants[]>>
