// Why items were left, each reason once with the first items of it.

import type { ReportItem } from '#src/issuer/wire.ts'

export interface Reason {
  because: string
  items: number
  /** The first three, with people in them: to be masked before they are shown. */
  examples: ReportItem[]
}

const mostExamples = 3

export class Reasons {
  readonly #reasons = new Map<string, Reason>()

  add(because: string, item: ReportItem): void {
    const reason = this.#reasons.get(because) ?? { because, items: 0, examples: [] }
    reason.items++
    if (reason.examples.length < mostExamples) reason.examples.push(item)
    this.#reasons.set(because, reason)
  }

  /** The most frequent first. */
  list(): Reason[] {
    return [...this.#reasons.values()].sort((a, b) => b.items - a.items)
  }

  get items(): number {
    return this.list().reduce((sum, each) => sum + each.items, 0)
  }
}
