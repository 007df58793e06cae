import { limitEmptyCells, type TableReading } from '#src/files/tables/source-limits.ts'
import type { ZipParts } from '#src/files/tables/zip/zip-parts.ts'
import { collectText } from './text-collector.ts'
import { readXml, type XmlVisitor } from './walk-xml.ts'

// A string is never split between two segments. The longest cell has 98 kB in UTF-8.
const segmentBytes = 1024 * 1024
// Offsets are stored in blocks that are never moved, because growing a single list would copy it and temporarily take
// twice the memory.
const textsPerBlock = 65_536

export class SharedStrings {
  private segments: Buffer[] = []
  private used = segmentBytes
  /** The end offset of each text, as if all segments were contiguous. */
  private ends: Uint32Array[] = []
  private count = 0

  /**
   * The bytes of memory for strings and offsets. The offsets count, because those of a million empty strings take 4 MB.
   */
  get bytes(): number {
    return this.segments.length * segmentBytes + this.ends.length * textsPerBlock * 4
  }

  /** Appends `text`, which gets the next number, starting at 0. */
  add(text: string): void {
    const length = Buffer.byteLength(text)
    this.segmentFor(length)?.write(text, this.used)
    this.noteEnd(length)
  }

  /** Returns the text with number `index`, or undefined if there is none. */
  get(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return undefined
    const end = this.endOf(index)
    const from = index === 0 ? 0 : this.endOf(index - 1)
    if (from === end) return ''
    const position = Math.floor((end - 1) / segmentBytes)
    const start = Math.max(from, position * segmentBytes)
    const segment = this.segments[position] as Buffer
    return segment.toString('utf8', start - position * segmentBytes, end - position * segmentBytes)
  }

  private endOf(index: number): number {
    return (this.ends[Math.floor(index / textsPerBlock)] as Uint32Array)[index % textsPerBlock] as number
  }

  /** Returns a segment with space for `length` bytes; undefined while all strings are empty. */
  private segmentFor(length: number): Buffer | undefined {
    if (this.used + length > segmentBytes) {
      this.segments.push(Buffer.allocUnsafeSlow(segmentBytes))
      this.used = 0
    }
    return this.segments.at(-1)
  }

  private noteEnd(length: number): void {
    if (this.count % textsPerBlock === 0) this.ends.push(new Uint32Array(textsPerBlock))
    this.used += length
    const block = this.ends.at(-1) as Uint32Array
    block[this.count++ % textsPerBlock] = (this.segments.length - 1) * segmentBytes + this.used
  }
}

/** Reads the part with the shared strings. @throws SourceError above the limits */
export async function readSharedStrings(zip: ZipParts, part: string, reading: TableReading): Promise<SharedStrings> {
  const { limits, refuse } = reading
  const strings = new SharedStrings()
  const text = collectText(reading)
  const emptyCellLimit = limitEmptyCells(reading)
  const visitor: XmlVisitor = {
    open(name) {
      emptyCellLimit.add(1)
      if (name === 'si') text.drop()
      text.open(name)
    },
    text: text.text,
    close(name) {
      text.close(name)
      if (name !== 'si') return
      const whole = text.take()
      if (whole.trim() !== '') emptyCellLimit.reset()
      strings.add(whole)
      if (strings.bytes > limits.sharedStringBytes) {
        throw refuse(
          'limit',
          `The text of the workbook takes more than the limit of ${limits.sharedStringBytes} bytes. Save the table as CSV, or split it into smaller files.`,
        )
      }
    },
  }
  await readXml(zip.read(part), visitor, reading)
  return strings
}
