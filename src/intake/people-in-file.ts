// Who is in a file, and how often, for the dry run. The publication of a run asks the database; here the digests of a million people
// are kept in typed arrays, and nothing else of them.

import { foldedName } from '#src/issuance/folded-text.ts'
import { DigestIndex, digestOf } from '#src/recipients/digest-index.ts'
import { FirstValues } from './first-values.ts'

export interface GoodRow {
  row: number
  recipient: Readonly<Record<string, string>>
  identityHash: Buffer
  issuanceKey: Buffer
  /** SHA-256 of the image that travels with it. */
  imageSha256?: Buffer | null
  /** What the ledger says: nothing, or that the person has this credential already, with the same or with other data. */
  standing: 'unknown' | 'known' | 'changed'
}

export interface Counts {
  new: number
  known: number
  /** Rows with other data than the ledger has, or than the row of this file that is taken. */
  changed: number
  /** Further rows for one credential that the ledger does not know, with the same data. */
  duplicates: number
}

export type Counted = keyof Counts

const kinds: readonly Counted[] = ['new', 'known', 'changed', 'duplicates']

export class PeopleInFile {
  readonly #nameFields: readonly string[]
  readonly #identities = new DigestIndex()
  readonly #keys = new DigestIndex()
  readonly #firstValues: FirstValues
  #credentials = 0
  /** Four counters for each person, by the person's number. */
  readonly #counts: number[] = []
  readonly #firstRows: number[] = []
  /** The second and third row of those who come again. */
  readonly #laterRows = new Map<number, number[]>()
  /** How many rows of a person are refused for something else. */
  readonly #refused = new Map<number, number>()
  readonly #conflicting = new Set<number>()

  /**
   * @param fields display names of the fields that the file fills
   * @param nameFields those of them that hold a person's names
   */
  constructor(fields: readonly string[], nameFields: readonly string[]) {
    this.#nameFields = nameFields
    this.#firstValues = new FirstValues(fields)
  }

  /** Counts a row and says as what, and the number of its person. Rows come in their order. */
  add(row: GoodRow): { person: number; as: Counted } {
    const person = this.#personOf(row)
    const as = row.standing === 'unknown' ? this.#asFirst(row) : row.standing
    const at = person * kinds.length + kinds.indexOf(as)
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    return { person, as }
  }

  /** Looks at a row that is refused for something else: it may name somebody else by the same identity. */
  note(row: Pick<GoodRow, 'row' | 'recipient' | 'identityHash'>): void {
    const person = this.#personOf(row)
    this.#refused.set(person, (this.#refused.get(person) ?? 0) + 1)
  }

  /** Whether rows name this person by different names: none of them is taken. */
  conflicts(person: number): boolean {
    return this.#conflicting.has(person)
  }

  /** Of the rows that are taken. */
  counts(): Counts {
    const sums: Counts = { new: 0, known: 0, changed: 0, duplicates: 0 }
    for (const [at, count] of this.#counts.entries()) {
      if (this.#conflicting.has(Math.floor(at / kinds.length))) continue
      sums[kinds[at % kinds.length] as Counted] += count
    }
    return sums
  }

  /** The rows that name one person by different names: how many, how many of them are refused for something else as well, and the first three. */
  conflictingRows(): { rows: number; refused: number; examples: number[] } {
    let rows = 0
    let refused = 0
    const examples: number[] = []
    for (const person of this.#conflicting) {
      for (let kind = 0; kind < kinds.length; kind++) rows += this.#counts[person * kinds.length + kind] ?? 0
      refused += this.#refused.get(person) ?? 0
      examples.push(this.#firstRows[person] as number, ...(this.#laterRows.get(person) ?? []))
    }
    return { rows: rows + refused, refused, examples: examples.sort((a, b) => a - b).slice(0, 3) }
  }

  #personOf({ row, recipient, identityHash }: Pick<GoodRow, 'row' | 'recipient' | 'identityHash'>): number {
    // As the ledger compares the names of two rows.
    const name = digestOf(foldedName(this.#nameFields.map((field) => recipient[field] ?? '')))
    const next = this.#firstRows.length
    const before = this.#identities.keepFirst(bitsOf(identityHash), { row: next, owner: name })
    if (before === null) {
      this.#firstRows.push(row)
      this.#counts.push(0, 0, 0, 0)
      return next
    }
    const later = this.#laterRows.get(before.row) ?? []
    if (later.length < 2) this.#laterRows.set(before.row, [...later, row])
    if (before.owner[0] !== name[0] || before.owner[1] !== name[1]) this.#conflicting.add(before.row)
    return before.row
  }

  #asFirst({ issuanceKey, recipient, imageSha256 = null }: GoodRow): 'new' | 'duplicates' | 'changed' {
    const first = this.#keys.keepFirst(bitsOf(issuanceKey), { row: this.#credentials, owner: [0, 0] })
    if (first) return this.#firstValues.differs(first.row, recipient, imageSha256) ? 'changed' : 'duplicates'
    this.#firstValues.keep(this.#credentials++, recipient, imageSha256)
    return 'new'
  }
}

/** The hashes are keyed ones: any 64 bits of them are as good as a digest. */
function bitsOf(hash: Buffer): [number, number] {
  return [hash.readUInt32BE(0), hash.readUInt32BE(4)]
}
