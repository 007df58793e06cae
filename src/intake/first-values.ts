// What the first row of each credential in a file holds, kept so that a later row of the same one can be told to differ: 32 bits for each field,
// and nothing of the person.

import { comparableValue } from '#src/issuance/differing-values.ts'

type Recipient = Readonly<Record<string, string>>

const blockRows = 4_096

export class FirstValues {
  readonly #fields: readonly string[]
  readonly #blocks: Uint32Array[] = []

  /** @param fields display names of the fields that the file fills */
  constructor(fields: readonly string[]) {
    this.#fields = fields
  }

  /** Keeps a row as the one with the number `at`; numbers come in order, from 0. @param image SHA-256 */
  keep(at: number, recipient: Recipient, image: Buffer | null): void {
    if (at % blockRows === 0) this.#blocks.push(new Uint32Array(blockRows * this.#width))
    this.#blockOf(at).set(this.#marksOf(recipient, image), this.#placeOf(at))
  }

  /** Whether a row fills a field otherwise, or has another image. What it does not fill does not count. */
  differs(at: number, recipient: Recipient, image: Buffer | null): boolean {
    const block = this.#blockOf(at)
    const place = this.#placeOf(at)
    return this.#marksOf(recipient, image).some((mark, index) => mark !== 0 && mark !== block[place + index])
  }

  get #width(): number {
    return this.#fields.length + 1
  }

  #blockOf(at: number): Uint32Array {
    return this.#blocks[Math.floor(at / blockRows)] as Uint32Array
  }

  #placeOf(at: number): number {
    return (at % blockRows) * this.#width
  }

  #marksOf(recipient: Recipient, image: Buffer | null): number[] {
    const marks = this.#fields.map((field) => markOf(comparableValue(field, recipient[field] ?? '')))
    return [...marks, image?.readUInt32BE(0) ?? 0]
  }
}

/** FNV-1a: nothing depends on a value that meets another one, but for one count in four thousand million. 0 is an empty value. */
function markOf(text: string): number {
  if (text === '') return 0
  let mark = 0x811c9dc5
  for (let at = 0; at < text.length; at++) mark = Math.imul(mark ^ text.charCodeAt(at), 0x01000193)
  return mark >>> 0 || 1
}
