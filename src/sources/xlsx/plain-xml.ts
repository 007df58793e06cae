// A tokenizer for the XML that spreadsheet programs write: tags, attributes, texts, comments, and nothing declared. Whatever
// it does not know for certain it leaves to saxes, with which test/src/sources/xlsx/walk-xml.test.ts holds it together.

import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { lastText, overText } from './over-text.ts'
import { readTag } from './read-tag.ts'
import { resolveReferences } from './references.ts'
import { XmlBytes } from './xml-bytes.ts'
import { refuseNesting } from './xml-refusals.ts'
import { localName, type XmlVisitor } from './xml-visitor.ts'

/** `cut`: the bytes end before the piece does. `strange`: something for saxes. */
type Step = 'done' | 'cut' | 'strange'

// What no XML may hold. Carriage returns are line feeds by now.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being looked for
const disallowed = /[\0-\x08\x0b-\x1f\ufffe\uffff]/
const beyondBlank = /[^ \t\n]/
const declaration =
  /^<\?xml\s+version=(["'])1\.0\1(\s+encoding=(["'])[Uu][Tt][Ff]-?(8|16)\3)?(\s+standalone=(["'])(yes|no)\6)?\s*\?>$/
const comment = Buffer.from('<!--')
const section = Buffer.from('<![CDATA[')
// Twice the longest text of a cell.
const longestPiece = 65_536
// A cell, `is` in it, `t` in that.
const deepestLeap = 3
const exclamation = 0x21
const slash = 0x2f
const less = 0x3c
const greater = 0x3e
const question = 0x3f

export class PlainXml {
  private readonly visitor: XmlVisitor
  private readonly limits: SourceLimits
  private readonly refuse: Refuse
  private readonly xml = new XmlBytes()
  /** The names of the open elements as they are written, and without their prefixes. */
  private written: string[] = []
  private path: string[] = []
  private begun = false
  private ended = false
  private told = false

  constructor(visitor: XmlVisitor, limits: SourceLimits, refuse: Refuse) {
    this.visitor = visitor
    this.limits = limits
    this.refuse = refuse
  }

  /** Walks on through UTF-8 that ends with a whole letter; false when saxes has to do the rest. */
  write(bytes: Buffer): boolean {
    this.xml.append(bytes)
    for (;;) {
      const step = this.step()
      // Saxes sees at once what is wrong with a piece whose end is far away.
      if (step !== 'done') return step === 'cut' && this.xml.length - this.xml.at <= longestPiece
      this.begun = true
    }
  }

  /** Whether the XML is whole. */
  end(): boolean {
    const rest = this.rest()
    if (!this.ended || beyondBlank.test(rest)) return false
    if (rest !== '') this.visitor.text?.(rest, '')
    return true
  }

  /** Whether the visitor was told anything since this was last asked. */
  takeTold(): boolean {
    const { told } = this
    this.told = false
    return told
  }

  /** What was not walked through yet. */
  rest(): string {
    return this.xml.text(this.xml.at, this.xml.length)
  }

  /** XML that brings another parser to where `rest` begins. The blank keeps it from taking a second declaration. */
  openedSoFar(): string {
    if (!this.begun) return ''
    return ` ${this.ended ? '<a/>' : this.written.map((name) => `<${name}>`).join('')}`
  }

  private step(): Step {
    const { bytes, at, length } = this.xml
    if (at >= length) return 'cut'
    if (bytes[at] !== less) return this.takeText()
    if (this.leap()) return 'done'
    switch (bytes[at + 1]) {
      case slash:
        return this.takeClose()
      case exclamation:
        return this.takeMarked()
      case question:
        return this.takeDeclaration()
      default:
        return this.takeOpen()
    }
  }

  /** A whole element at once, where the visitor knows how most of them look: seven steps for each cell took most of the time. */
  private leap(): boolean {
    const { visitor, xml, path } = this
    if (!visitor.leap || path.length + deepestLeap > this.limits.xmlNesting) return false
    const end = visitor.leap(xml, xml.at, path[path.length - 1] ?? '')
    if (end === xml.at) return false
    xml.at = end
    this.told = true
    return true
  }

  private takeText(): Step {
    const { xml } = this
    const start = xml.at
    let end = overText(xml, start)
    let piece: string | undefined
    if (end > 0) piece = lastText.ascii ? xml.ascii(start, end) : xml.text(start, end)
    else {
      end = xml.find('<', start)
      if (end < 0) return 'cut'
      piece = xml.text(start, end)
      if (disallowed.test(piece) || piece.includes(']]>')) return 'strange'
      piece = resolveReferences(piece)
    }
    if (piece === undefined || (this.path.length === 0 && beyondBlank.test(piece))) return 'strange'
    xml.at = end
    this.tell(piece)
    return 'done'
  }

  private tell(piece: string): void {
    this.told = true
    this.visitor.text?.(piece, this.path.at(-1) ?? '')
  }

  private takeOpen(): Step {
    if (this.ended) return 'strange'
    const tag = readTag(this.xml)
    if (typeof tag === 'string') return tag
    const name = localName(tag.name)
    const parent = this.path.at(-1) ?? ''
    this.told = true
    this.xml.at = tag.end
    this.visitor.open?.(name, tag.attributes, parent)
    this.written.push(tag.name)
    this.path.push(name)
    if (this.path.length > this.limits.xmlNesting) throw refuseNesting(this.limits, this.refuse)
    if (tag.closed) this.close()
    return 'done'
  }

  private takeClose(): Step {
    const { xml, written } = this
    const name = written.at(-1)
    if (name === undefined) return 'strange'
    const start = xml.at + 2
    const end = start + name.length
    if (end >= xml.length) return 'cut'
    if (xml.bytes[end] !== greater || xml.ascii(start, end) !== name) return 'strange'
    xml.at = end + 1
    this.close()
    return 'done'
  }

  private close(): void {
    this.written.pop()
    const name = this.path.pop() as string
    this.told = true
    this.ended = this.path.length === 0
    this.visitor.close?.(name, this.path.at(-1) ?? '')
  }

  /** A comment or CDATA; anything else that begins so is strange. */
  private takeMarked(): Step {
    const { xml } = this
    const start = xml.over(comment, xml.at)
    if (start < 0) return this.takeSection()
    const end = xml.find('--', start)
    if (end < 0 || end + 2 >= xml.length) return 'cut'
    if (xml.bytes[end + 2] !== greater || disallowed.test(xml.text(start, end))) return 'strange'
    xml.at = end + 3
    return 'done'
  }

  private takeSection(): Step {
    const { xml } = this
    const start = xml.over(section, xml.at)
    if (start < 0) return xml.length < xml.at + section.length ? 'cut' : 'strange'
    if (this.path.length === 0) return 'strange'
    const end = xml.find(']]>', start)
    if (end < 0) return 'cut'
    const piece = xml.text(start, end)
    if (disallowed.test(piece)) return 'strange'
    xml.at = end + 3
    this.tell(piece)
    return 'done'
  }

  private takeDeclaration(): Step {
    const { xml } = this
    if (this.begun) return 'strange'
    const end = xml.find('?>', xml.at)
    if (end < 0) return 'cut'
    if (!declaration.test(xml.text(xml.at, end + 2))) return 'strange'
    xml.at = end + 2
    return 'done'
  }
}
