// Counts the people in a file for a dry run. Publishing a run counts them in the database. A dry run keeps only digests
// of the people and hashes of their values, so that a million people fit into memory. Does no I/O.

import { comparableValue } from '#src/domain/credential/differing-values.ts'
import { foldedName } from '#src/domain/credential/person-index.ts'
import { DigestIndex, digestOf } from '#src/domain/recipient/digest-index.ts'

export interface ValidRow {
  row: number
  recipient: Readonly<Record<string, string>>
  identityHash: Buffer
  issuanceKey: Buffer
  /** The SHA-256 of the image that is sent with the row. */
  imageSha256?: Buffer | null
  /**
   * Whether the person already has this credential in the ledger: no (`unknown`), with the same data (`known`), or
   * with different data (`changed`).
   */
  inLedger: 'unknown' | 'known' | 'changed'
}

export interface Counts {
  new: number
  known: number
  /** Rows that differ from the ledger, or from the accepted row of the same credential in this file. */
  changed: number
  /** Further rows with the same data for a credential that the ledger does not know. */
  duplicates: number
}

export type CountedKind = keyof Counts

const kinds: readonly CountedKind[] = ['new', 'known', 'changed', 'duplicates']

export class PeopleInFile {
  readonly #nameFields: readonly string[]
  readonly #identities = new DigestIndex()
  readonly #keys = new DigestIndex()
  readonly #firstRowHashes: FirstRowHashes
  #credentials = 0
  /** Four counters for each person, in the order of `kinds`, starting at four times the person's number. */
  readonly #counts: number[] = []
  readonly #firstRows: number[] = []
  /** The second and third rows of each person who appears more than once. */
  readonly #laterRows = new Map<number, number[]>()
  /** For each person, the number of rows rejected for another reason. */
  readonly #refused = new Map<number, number>()
  readonly #conflicting = new Set<number>()

  /**
   * @param fields the display names of the fields that the file fills
   * @param nameFields the display names of the fields that contain a person's name
   */
  constructor(fields: readonly string[], nameFields: readonly string[]) {
    this.#nameFields = nameFields
    this.#firstRowHashes = new FirstRowHashes(fields)
  }

  /**
   * Counts a row. Returns the kind that it was counted as, and the number of its person. Rows must be passed in order.
   */
  add(row: ValidRow): { person: number; kind: CountedKind } {
    const person = this.#personOf(row)
    const kind = row.inLedger === 'unknown' ? this.#kindInFile(row) : row.inLedger
    const counter = person * kinds.length + kinds.indexOf(kind)
    this.#counts[counter] = (this.#counts[counter] ?? 0) + 1
    return { person, kind }
  }

  /** Records a row that was rejected for another reason, because it may have a different name for the same identity. */
  addRejected(row: Pick<ValidRow, 'row' | 'recipient' | 'identityHash'>): void {
    const person = this.#personOf(row)
    this.#refused.set(person, (this.#refused.get(person) ?? 0) + 1)
  }

  /** Returns whether rows have different names for this person. None of those rows is accepted. */
  conflicts(person: number): boolean {
    return this.#conflicting.has(person)
  }

  /** Counts accepted rows only. */
  counts(): Counts {
    const sums: Counts = { new: 0, known: 0, changed: 0, duplicates: 0 }
    for (const [counter, count] of this.#counts.entries()) {
      if (this.#conflicting.has(Math.floor(counter / kinds.length))) continue
      sums[kinds[counter % kinds.length] as CountedKind] += count
    }
    return sums
  }

  /**
   * Returns the number of rows that have different names for the same person, how many of them are also rejected for
   * another reason, and the numbers of the first three.
   */
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

  #personOf({ row, recipient, identityHash }: Pick<ValidRow, 'row' | 'recipient' | 'identityHash'>): number {
    // The ledger folds names in the same way before it compares them.
    const name = digestOf(foldedName(this.#nameFields.map((field) => recipient[field] ?? '')))
    const next = this.#firstRows.length
    const known = this.#identities.keepFirst(bitsOf(identityHash), { row: next, owner: name })
    if (known === null) {
      this.#firstRows.push(row)
      this.#counts.push(0, 0, 0, 0)
      return next
    }
    const later = this.#laterRows.get(known.row) ?? []
    if (later.length < 2) this.#laterRows.set(known.row, [...later, row])
    if (known.owner[0] !== name[0] || known.owner[1] !== name[1]) this.#conflicting.add(known.row)
    return known.row
  }

  #kindInFile({ issuanceKey, recipient, imageSha256 = null }: ValidRow): 'new' | 'duplicates' | 'changed' {
    const first = this.#keys.keepFirst(bitsOf(issuanceKey), { row: this.#credentials, owner: [0, 0] })
    if (first) return this.#firstRowHashes.differs(first.row, recipient, imageSha256) ? 'changed' : 'duplicates'
    this.#credentials++
    this.#firstRowHashes.keep(recipient, imageSha256)
    return 'new'
  }
}

/** The hashes are keyed, so any 64 bits of them can be used as a digest. */
function bitsOf(hash: Buffer): [number, number] {
  return [hash.readUInt32BE(0), hash.readUInt32BE(4)]
}

type Recipient = Readonly<Record<string, string>>

/**
 * Stores a 32-bit hash of each field in the first row of each credential, so that later rows of the same credential can
 * be compared with it. Holds no personal data.
 */
export class FirstRowHashes {
  readonly #fields: readonly string[]
  /** One credential after another: for each, one hash for each field and one for the image. */
  readonly #hashes: number[] = []

  /** @param fields the display names of the fields that the file fills */
  constructor(fields: readonly string[]) {
    this.#fields = fields
  }

  /**
   * Stores a row as the first row of the next credential.
   * @param image the SHA-256 of the image
   */
  keep(recipient: Recipient, image: Buffer | null): void {
    this.#hashes.push(...this.#hashesOf(recipient, image))
  }

  /**
   * Returns whether a row has another value for a field, or another image, than the first row of its credential. Fields
   * that the row leaves empty are ignored.
   * @param credential the number of the credential, starting at 0
   */
  differs(credential: number, recipient: Recipient, image: Buffer | null): boolean {
    const hashes = this.#hashesOf(recipient, image)
    const start = credential * hashes.length
    return hashes.some((hash, index) => hash !== 0 && hash !== this.#hashes[start + index])
  }

  #hashesOf(recipient: Recipient, image: Buffer | null): number[] {
    const hashes = this.#fields.map((field) => hashOf(comparableValue(field, recipient[field] ?? '')))
    return [...hashes, image?.readUInt32BE(0) ?? 0]
  }
}

/** FNV-1a; 0 for an empty value. A collision (one in four billion) only makes a count wrong. */
function hashOf(text: string): number {
  if (text === '') return 0
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0 || 1
}
