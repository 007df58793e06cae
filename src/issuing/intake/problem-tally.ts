// Counts what is wrong with the rows of a file, by kind, in the format in which the ledger reports a run. In memory
// only.

import type { RunProblem } from '#src/ledger/runs/violations.ts'

const maxExamples = 3

export interface RowViolation {
  field: string
  rule: string
  /** Must be masked. */
  value: string
}

export class ProblemTally {
  readonly #kinds = new Map<string, RunProblem>()

  /** Counts a row once for each kind of violation. Rows must be passed in order. */
  add(row: number, violations: readonly RowViolation[]): void {
    const counted = new Set<string>()
    for (const violation of violations) {
      const key = JSON.stringify([violation.field, violation.rule])
      if (counted.has(key)) continue
      counted.add(key)
      const { field, rule } = violation
      const kind = this.#kinds.get(key) ?? { field, rule, rows: 0, examples: [], value: exampleValue(violation.value) }
      this.#kinds.set(key, kind)
      kind.rows++
      if (kind.examples.length < maxExamples) kind.examples.push(row)
    }
  }

  /** Adds a kind of violation that was counted elsewhere, because it is known only at the end of the file. */
  addKind(kind: Pick<RunProblem, 'field' | 'rule' | 'rows' | 'examples'>): void {
    if (kind.rows === 0) return
    const examples = kind.examples.slice(0, maxExamples)
    this.#kinds.set(JSON.stringify([kind.field, kind.rule]), { ...kind, examples, value: null })
  }

  /** The most frequent problem first. */
  problems(): RunProblem[] {
    return [...this.#kinds.values()].sort(
      (a, b) =>
        b.rows - a.rows ||
        (a.examples[0] ?? 0) - (b.examples[0] ?? 0) ||
        (a.field < b.field ? -1 : Number(a.field > b.field)) ||
        (a.rule < b.rule ? -1 : Number(a.rule > b.rule)),
    )
  }
}

function exampleValue(value: string): string | null {
  return value === '' || value === '(empty)' ? null : value
}
