// Counts the items that were left alone, grouped by reason, and keeps the first three examples for each reason. Pure.

import type { ReportItem } from '#src/issuer/wire-shapes.ts'

export interface Reason {
  because: string
  items: number
  /** The first three. They contain personal data and must be masked before they are shown. */
  examples: ReportItem[]
}

const maxExamples = 3

export class ReasonTally {
  readonly #reasons = new Map<string, Reason>()

  add(because: string, item: ReportItem): void {
    const reason = this.#reasons.get(because) ?? { because, items: 0, examples: [] }
    reason.items++
    if (reason.examples.length < maxExamples) reason.examples.push(item)
    this.#reasons.set(because, reason)
  }

  /** The most frequent reason first. */
  list(): Reason[] {
    return [...this.#reasons.values()].sort((a, b) => b.items - a.items)
  }

  get items(): number {
    return this.list().reduce((sum, each) => sum + each.items, 0)
  }
}
