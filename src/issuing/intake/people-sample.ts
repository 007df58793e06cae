// Takes a sample of the people in a file: those with the smallest keys. The ledger samples its staged rows in the same
// way. In memory only.

export interface SampledRow {
  issuanceKey: Buffer
  recipient: Readonly<Record<string, string>>
}

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
