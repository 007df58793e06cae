// A buffer for the XML that is being read. It holds bytes, because the memory can be reused, and comparing bytes is
// cheaper than comparing characters.

const initialBytes = 131_072

export class XmlBytes {
  /**
   * Only the first `length` bytes are XML. They are followed by a NUL, which XML cannot contain, so that searches need
   * not check the position.
   */
  bytes = Buffer.allocUnsafeSlow(initialBytes)
  length = 0
  /** The position of the next piece. */
  at = 0
  // The bytes as a string with one character per byte. Cutting text from it takes a quarter of the time of decoding
  // bytes.
  private latin1 = ''

  constructor() {
    this.bytes[0] = 0
  }

  /** Drops everything before `at`, and appends `more`. */
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
    this.latin1 = this.bytes.toString('latin1', 0, this.length)
  }

  /** Returns the text of bytes that are known to be ASCII. */
  ascii(start: number, end: number): string {
    return end === start + 1 ? (this.latin1[start] as string) : this.latin1.slice(start, end)
  }

  /** Returns the text of any bytes. */
  text(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end)
  }

  /** Returns the position of `wanted` at or after `from`; -1 if there is none. ASCII only. */
  find(wanted: string, from: number): number {
    return this.latin1.indexOf(wanted, from)
  }

  /** Returns the position after `words` if they are at `from`; -1 otherwise. */
  skip(words: Uint8Array, from: number): number {
    const { bytes } = this
    for (let index = 0; index < words.length; index++) if (bytes[from + index] !== words[index]) return -1
    return from + words.length
  }
}
