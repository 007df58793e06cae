// The texts that a workbook keeps once and refers to by number. They are kept as bytes outside of the heap: three
// million names as JavaScript strings took another reader to 3 GB.

import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import type { ZipParts } from '#src/sources/zip/zip-parts.ts'
import { collectText } from './text-collector.ts'
import { readXml } from './walk-xml.ts'

export class SharedStrings {
  // A text never crosses two segments; the longest cell has 98 kB in UTF-8.
  private static readonly segmentBytes = 1024 * 1024
  private segments: Buffer[] = []
  private used = SharedStrings.segmentBytes
  private starts = new Uint32Array(1024)
  private count = 0

  /** Bytes of memory taken for texts and for where they begin: a million empty texts are no texts and 4 MB. */
  get bytes(): number {
    return this.segments.length * SharedStrings.segmentBytes + this.starts.byteLength
  }

  /** Appends `text`, which gets the next number, beginning with 0. */
  add(text: string): void {
    const length = Buffer.byteLength(text)
    if (this.used + 4 + length > SharedStrings.segmentBytes) {
      this.segments.push(Buffer.allocUnsafeSlow(SharedStrings.segmentBytes))
      this.used = 0
    }
    if (this.count === this.starts.length) {
      const larger = new Uint32Array(this.starts.length * 2)
      larger.set(this.starts)
      this.starts = larger
    }
    const segment = this.segments.at(-1) as Buffer
    this.starts[this.count++] = (this.segments.length - 1) * SharedStrings.segmentBytes + this.used
    segment.writeUInt32LE(length, this.used)
    segment.write(text, this.used + 4)
    this.used += 4 + length
  }

  /** The text number `index`, or undefined when there is none. */
  get(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return undefined
    const start = this.starts[index] as number
    const segment = this.segments[Math.floor(start / SharedStrings.segmentBytes)] as Buffer
    const at = start % SharedStrings.segmentBytes
    return segment.toString('utf8', at + 4, at + 4 + segment.readUInt32LE(at))
  }
}

/** Reads the part of shared texts. Throws SourceError above the limits. */
export async function readSharedStrings(
  zip: ZipParts,
  part: string,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<SharedStrings> {
  const strings = new SharedStrings()
  const text = collectText(limits, refuse)
  const visitor = {
    open: (name: string, _: unknown, parent: string) => text.open(name, parent),
    text: text.text,
    close(name: string) {
      text.close(name)
      if (name !== 'si') return
      strings.add(text.take())
      if (strings.bytes > limits.sharedStringBytes) {
        throw refuse(
          'limit',
          `The workbook's texts take more than ${limits.sharedStringBytes} bytes, the limit. Send it as CSV or in parts.`,
        )
      }
    },
  }
  await readXml(zip.read(part), visitor, limits, refuse)
  return strings
}
