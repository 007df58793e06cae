// Samples the people of a list, to search the report for them before the first list of a course. In memory only.

interface SampledRow {
  issuanceKey: Buffer
  recipient: Readonly<Record<string, string>>
}

/**
 * A sample of the people in a file: those with the smallest keys. The ledger samples its staged rows in the same way.
 */
export class PeopleSample {
  readonly #maxRows: number
  #rows: SampledRow[] = []

  constructor(maxRows: number) {
    this.#maxRows = maxRows
  }

  /** If two rows have the same key, the second one is ignored. */
  add(row: SampledRow): void {
    const last = this.#rows.at(-1)
    if (last && this.#rows.length >= this.#maxRows && last.issuanceKey.compare(row.issuanceKey) <= 0) return
    if (this.#rows.some(({ issuanceKey }) => issuanceKey.equals(row.issuanceKey))) return
    this.#rows.push(row)
    this.#rows.sort((a, b) => a.issuanceKey.compare(b.issuanceKey))
    this.#rows = this.#rows.slice(0, this.#maxRows)
  }

  recipients(): Readonly<Record<string, string>>[] {
    return this.#rows.map(({ recipient }) => recipient)
  }
}
