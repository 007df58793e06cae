// The texts that a workbook keeps once and refers to by number. They are kept as bytes outside of the heap: three
// million names as JavaScript strings took another reader to 3 GB.

import { countIdle } from '#src/sources/count-idle.ts'
import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import type { ZipParts } from '#src/sources/zip/zip-parts.ts'
import { lastText, overText, overTextTag } from './over-text.ts'
import { collectText } from './text-collector.ts'
import { readXml } from './walk-xml.ts'
import type { XmlBytes } from './xml-bytes.ts'
import type { XmlVisitor } from './xml-visitor.ts'

// A text never crosses two segments; the longest cell has 98 kB in UTF-8.
const segmentBytes = 1024 * 1024
// Blocks that stay where they are: one list would have to be copied to grow, and there twice for a while.
const blockTexts = 65_536

export class SharedStrings {
  private segments: Buffer[] = []
  private used = segmentBytes
  /** Where each text ends, as if all segments lay in one row. */
  private ends: Uint32Array[] = []
  private count = 0

  /** Bytes of memory taken for texts and for where they end: a million empty texts are no texts and 4 MB. */
  get bytes(): number {
    return this.segments.length * segmentBytes + this.ends.length * blockTexts * 4
  }

  /** Appends `text`, which gets the next number, beginning with 0. */
  add(text: string): void {
    const length = Buffer.byteLength(text)
    this.segmentFor(length)?.write(text, this.used)
    this.note(length)
  }

  /** The same for a text that lies in `bytes` as UTF-8. */
  addBytes(bytes: Buffer, start: number, end: number): void {
    const segment = this.segmentFor(end - start)
    if (segment) bytes.copy(segment, this.used, start, end)
    this.note(end - start)
  }

  /** The text number `index`, or undefined when there is none. */
  get(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return undefined
    const end = this.endOf(index)
    const from = index === 0 ? 0 : this.endOf(index - 1)
    if (from === end) return ''
    const place = Math.floor((end - 1) / segmentBytes)
    const start = Math.max(from, place * segmentBytes)
    const segment = this.segments[place] as Buffer
    return segment.toString('utf8', start - place * segmentBytes, end - place * segmentBytes)
  }

  private endOf(index: number): number {
    return (this.ends[Math.floor(index / blockTexts)] as Uint32Array)[index % blockTexts] as number
  }

  /** Undefined as long as all texts are empty. */
  private segmentFor(length: number): Buffer | undefined {
    if (this.used + length > segmentBytes) {
      this.segments.push(Buffer.allocUnsafeSlow(segmentBytes))
      this.used = 0
    }
    return this.segments.at(-1)
  }

  private note(length: number): void {
    if (this.count % blockTexts === 0) this.ends.push(new Uint32Array(blockTexts))
    this.used += length
    const block = this.ends.at(-1) as Uint32Array
    block[this.count++ % blockTexts] = (this.segments.length - 1) * segmentBytes + this.used
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
  const idle = countIdle(limits, refuse)
  const holdAgainstLimit = () => {
    if (strings.bytes > limits.sharedStringBytes) {
      throw refuse(
        'limit',
        `The workbook's texts take more than ${limits.sharedStringBytes} bytes, the limit. Send it as CSV or in parts.`,
      )
    }
  }
  const visitor: XmlVisitor = {
    open(name, _, parent) {
      idle.add(1)
      if (name === 'si') text.drop()
      text.open(name, parent)
    },
    text: text.text,
    close(name) {
      text.close(name)
      if (name !== 'si') return
      const whole = text.take()
      if (whole.trim() !== '') idle.end()
      strings.add(whole)
      holdAgainstLimit()
    },
    leap(xml, at, parent) {
      const start = parent === 'sst' ? overOpening(xml, at) : -1
      const end = start < 0 ? -1 : overText(xml, start)
      const over = end < 0 ? -1 : xml.over(closing, end)
      if (over < 0 || lastText.underscored || end - start > limits.cellCharacters) return at
      if (end > start) idle.end()
      else idle.add(1)
      strings.addBytes(xml.bytes, start, end)
      holdAgainstLimit()
      return over
    },
  }
  await readXml(zip.read(part), visitor, limits, refuse)
  return strings
}

const opening = Buffer.from('<si>')
const closing = Buffer.from('</t></si>')

/** To where the text begins in `<si><t>…</t></si>`, which has no looks of its own. */
function overOpening(xml: XmlBytes, at: number): number {
  const opened = xml.over(opening, at)
  return opened < 0 ? -1 : overTextTag(xml, opened)
}
