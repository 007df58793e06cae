// What is wrong with the rows of a file, counted by kind while it is read: the same picture that the ledger draws of a run.

import type { Problem } from '#src/ledger/violations.ts'

const mostExamples = 3

export interface Wrong {
  field: string
  rule: string
  /** Masked. */
  value: string
}

export class ProblemTally {
  readonly #kinds = new Map<string, Problem>()

  /** Counts a row once for each kind among what is wrong with it. Rows come in their order. */
  add(row: number, wrong: readonly Wrong[]): void {
    const told = new Set<string>()
    for (const each of wrong) {
      const key = JSON.stringify([each.field, each.rule])
      if (told.has(key)) continue
      told.add(key)
      const { field, rule } = each
      const kind = this.#kinds.get(key) ?? { field, rule, rows: 0, examples: [], value: shownOf(each.value) }
      this.#kinds.set(key, kind)
      kind.rows++
      if (kind.examples.length < mostExamples) kind.examples.push(row)
    }
  }

  /** Adds rows that were counted elsewhere: a kind of trouble that shows at the end of the file only. */
  addKind(kind: Pick<Problem, 'field' | 'rule' | 'rows' | 'examples'>): void {
    if (kind.rows === 0) return
    const examples = kind.examples.slice(0, mostExamples)
    this.#kinds.set(JSON.stringify([kind.field, kind.rule]), { ...kind, examples, value: null })
  }

  /** Those of most rows first. */
  problems(): Problem[] {
    return [...this.#kinds.values()].sort(
      (a, b) =>
        b.rows - a.rows ||
        (a.examples[0] ?? 0) - (b.examples[0] ?? 0) ||
        (a.field < b.field ? -1 : Number(a.field > b.field)) ||
        (a.rule < b.rule ? -1 : Number(a.rule > b.rule)),
    )
  }
}

function shownOf(value: string): string | null {
  return value === '' || value === '(empty)' ? null : value
}
