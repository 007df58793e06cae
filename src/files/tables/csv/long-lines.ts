// Stops reading a CSV at a line that is too long.

/** Thrown if a line of the text is longer than `maxBytes`. */
export class LongLineError extends Error {
  override name = 'LongLineError'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`A line is longer than ${maxBytes} bytes.`)
    this.maxBytes = maxBytes
  }
}

/**
 * Passes UTF-8 `chunks` on until a line is longer than `maxBytes`. csv-parse's own limit counts only the content of
 * cells: 50 MB of separators became 50 million cells and 1.7 GB.
 * @throws LongLineError
 */
export async function* stopLongLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const text of chunks) {
    const end = Math.max(text.lastIndexOf(0x0a), text.lastIndexOf(0x0d))
    length = end < 0 ? length + text.length : text.length - end - 1
    if (length > maxBytes) throw new LongLineError(maxBytes)
    if (text.length > 0) yield text
  }
}
