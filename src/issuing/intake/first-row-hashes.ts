// Stores a 32-bit hash of each field in the first row of each credential, so that later rows of the same credential can
// be compared with it. In memory only, and without personal data.

import { comparableValue } from '#src/domain/credential/differing-values.ts'

type Recipient = Readonly<Record<string, string>>

const blockRows = 4_096

export class FirstRowHashes {
  readonly #fields: readonly string[]
  readonly #blocks: Uint32Array[] = []

  /** @param fields the display names of the fields that the file fills */
  constructor(fields: readonly string[]) {
    this.#fields = fields
  }

  /**
   * Stores a row as the first row of credential number `credential`. The numbers must start at 0 and increase by one.
   * @param image the SHA-256 of the image
   */
  keep(credential: number, recipient: Recipient, image: Buffer | null): void {
    if (credential % blockRows === 0) this.#blocks.push(new Uint32Array(blockRows * this.#width))
    this.#blockOf(credential).set(this.#hashesOf(recipient, image), this.#offsetOf(credential))
  }

  /**
   * Returns whether a row has another value for a field, or another image, than the first row of its credential. Fields
   * that the row leaves empty are ignored.
   */
  differs(credential: number, recipient: Recipient, image: Buffer | null): boolean {
    const block = this.#blockOf(credential)
    const offset = this.#offsetOf(credential)
    return this.#hashesOf(recipient, image).some((hash, index) => hash !== 0 && hash !== block[offset + index])
  }

  get #width(): number {
    return this.#fields.length + 1
  }

  #blockOf(credential: number): Uint32Array {
    return this.#blocks[Math.floor(credential / blockRows)] as Uint32Array
  }

  #offsetOf(credential: number): number {
    return (credential % blockRows) * this.#width
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
