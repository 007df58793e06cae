// The XML that is being looked at, as bytes: the same memory for all of it, and one look at a byte is cheaper than at a
// character.

const firstBytes = 131_072

export class XmlBytes {
  /** Up to `length` of them count. A NUL, which no XML holds, stands behind, so that a search need not look where it is. */
  bytes = Buffer.allocUnsafeSlow(firstBytes)
  length = 0
  /** Where the next piece begins. */
  at = 0
  // The bytes as characters, each for one: text made of it costs a quarter of one that is made of bytes.
  private single = ''

  constructor() {
    this.bytes[0] = 0
  }

  /** Lets go of what lies before `at`, and puts `more` behind the rest. */
  append(more: Buffer): void {
    const rest = this.length - this.at
    const needed = rest + more.length + 1
    const kept = this.bytes
    if (needed > kept.length) this.bytes = Buffer.allocUnsafeSlow(needed * 2)
    kept.copy(this.bytes, 0, this.at, this.length)
    more.copy(this.bytes, rest)
    this.at = 0
    this.length = needed - 1
    this.bytes[this.length] = 0
    this.single = this.bytes.toString('latin1', 0, this.length)
  }

  /** The text of bytes that are all ASCII. */
  ascii(start: number, end: number): string {
    return end === start + 1 ? (this.single[start] as string) : this.single.slice(start, end)
  }

  /** The text of any bytes. */
  text(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end)
  }

  /** Where `sought` stands at `from` or after it; -1 when nowhere. ASCII only. */
  find(sought: string, from: number): number {
    return this.single.indexOf(sought, from)
  }

  /** Over `words`, when they stand at `from`: where they end; -1 when they do not. */
  over(words: Uint8Array, from: number): number {
    const { bytes } = this
    for (let index = 0; index < words.length; index++) if (bytes[from + index] !== words[index]) return -1
    return from + words.length
  }
}
