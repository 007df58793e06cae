// Removes what is not content from UTF-8 text: the byte order marks at the start of lines, where files were joined, and
// the end mark of old systems. Detects text that was not copied completely.

import { endOfWholeCharacters } from '#src/files/tables/utf8-chunks.ts'

/** Thrown if the text ends in zero bytes: the file got its full size, but its content did not arrive. */
export class UnfinishedCopyError extends Error {
  override name = 'UnfinishedCopyError'
}

const byteOrderMark = Buffer.from('\ufeff')
const endMark = 0x1a

/** Passes UTF-8 `chunks` on without marks. @throws UnfinishedCopyError */
export async function* dropMarks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [startsLine, endsInZero] = [true, false]
  let held = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes: Buffer = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    const end = bytes.at(-1) === endMark ? bytes.length - 1 : endOfWholeCharacters(bytes)
    held = Buffer.from(bytes.subarray(end))
    endsInZero = bytes.at(-1) === 0
    // Chunks are large, except the last. Among too many zeros, the parser would first complain that rows do not end.
    if (endsInZero && bytes.every((byte) => byte === 0)) throw new UnfinishedCopyError()
    const text = withoutMarks(bytes.subarray(0, end), startsLine)
    if (text.length === 0) continue
    startsLine = isLineEnd(text.at(-1))
    yield text
  }
  if (endsInZero) throw new UnfinishedCopyError()
  if (held.length > 0 && held[0] !== endMark) yield held
}

function withoutMarks(text: Buffer, startsLine: boolean): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  let followsMark = startsLine
  for (let at = text.indexOf(byteOrderMark); at >= 0; at = text.indexOf(byteOrderMark, at + byteOrderMark.length)) {
    if (at === from ? !followsMark : !isLineEnd(text[at - 1])) continue
    pieces.push(text.subarray(from, at))
    from = at + byteOrderMark.length
    followsMark = true
  }
  return from === 0 ? text : Buffer.concat([...pieces, text.subarray(from)])
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d
}
