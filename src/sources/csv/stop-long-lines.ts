// Ends a text whose line never ends.

/** A line of the text is longer than `most` bytes. */
export class LongLineError extends Error {
  override name = 'LongLineError'
  readonly most: number

  constructor(most: number) {
    super(`A line is longer than ${most} bytes.`)
    this.most = most
  }
}

const mark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Passes UTF-8 `chunks` on without the byte order marks in front, and throws LongLineError. csv-parse's limit counts what is in the
 * cells only: 50 MB of separators became 50 million cells and 1.7 GB.
 */
export async function* stopLongLines(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let started = false
  let length = 0
  for await (const chunk of chunks) {
    // Programs that put a mark before a text which has one leave two, and the second would become part of a name.
    const text = started ? chunk : withoutMarks(chunk)
    started = true
    const end = Math.max(text.lastIndexOf(0x0a), text.lastIndexOf(0x0d))
    length = end < 0 ? length + text.length : text.length - end - 1
    if (length > most) throw new LongLineError(most)
    if (text.length > 0) yield text
  }
}

function withoutMarks(chunk: Buffer): Buffer {
  let text = chunk
  while (text.indexOf(mark) === 0) text = text.subarray(mark.length)
  return text
}
