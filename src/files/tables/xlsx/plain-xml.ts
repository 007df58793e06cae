// A fast tokenizer for the XML that spreadsheet programs write: tags, attributes, text and comments, but no
// declarations. It leaves everything unusual to saxes. test/src/files/tables/xlsx/walk-xml.test.ts compares the two.

import type { Refuse } from '#src/files/tables/source-error.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import { readTag } from './read-tag.ts'
import { lastText, skipText } from './skip-text.ts'
import { XmlBytes } from './xml-bytes.ts'
import { resolveReferences } from './xml-references.ts'
import { refuseNesting } from './xml-refusals.ts'
import { localName, type XmlVisitor } from './xml-visitor.ts'

/** `cut`: the bytes end within the piece. `strange`: the piece is left to saxes. */
type Step = 'done' | 'cut' | 'strange'

// Characters that no XML may contain. Carriage returns have already become line feeds.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being looked for
const disallowed = /[\0-\x08\x0b-\x1f\ufffe\uffff]/
const beyondBlank = /[^ \t\n]/
const declaration =
  /^<\?xml\s+version=(["'])1\.0\1(\s+encoding=(["'])[Uu][Tt][Ff]-?(8|16)\3)?(\s+standalone=(["'])(yes|no)\6)?\s*\?>$/
const comment = Buffer.from('<!--')
const cdataStart = Buffer.from('<![CDATA[')
// Twice the length of the longest text in a cell.
const maxPieceLength = 65_536
// The levels of a cell, an `is` element in it, and a `t` element in that.
const maxFastPathDepth = 3
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
  /** The names of the open elements as written. */
  private written: string[] = []
  /** The names of the open elements without their prefixes. */
  private path: string[] = []
  private started = false
  private ended = false
  /** True if the visitor has been called since the last `takeCalled`. */
  private called = false

  constructor(visitor: XmlVisitor, limits: SourceLimits, refuse: Refuse) {
    this.visitor = visitor
    this.limits = limits
    this.refuse = refuse
  }

  /** Processes UTF-8 that ends with a complete character. Returns false if saxes has to process the rest. */
  write(bytes: Buffer): boolean {
    this.xml.append(bytes)
    for (;;) {
      const step = this.step()
      // A piece that does not end within `maxPieceLength` is left to saxes, which finds immediately what is wrong with
      // it.
      if (step !== 'done') return step === 'cut' && this.xml.length - this.xml.at <= maxPieceLength
      this.started = true
    }
  }

  /** Returns true if the XML is complete. */
  end(): boolean {
    const rest = this.rest()
    if (!this.ended || beyondBlank.test(rest)) return false
    if (rest !== '') this.visitor.text?.(rest, '')
    return true
  }

  /** Returns true if the visitor has been called since the last call of this method. */
  takeCalled(): boolean {
    const { called } = this
    this.called = false
    return called
  }

  /** Returns the text that has not been processed yet. */
  rest(): string {
    return this.xml.text(this.xml.at, this.xml.length)
  }

  /**
   * Returns XML that brings another parser to the state in which `rest` begins. The leading blank prevents a second XML
   * declaration.
   */
  openElementsXml(): string {
    if (!this.started) return ''
    return ` ${this.ended ? '<a/>' : this.written.map((name) => `<${name}>`).join('')}`
  }

  private step(): Step {
    const { bytes, at, length } = this.xml
    if (at >= length) return 'cut'
    if (bytes[at] !== less) return this.takeText()
    if (this.fastPath()) return 'done'
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

  /**
   * Skips a whole element if the visitor can read its usual form. Without this, the seven steps for each cell took most
   * of the time.
   */
  private fastPath(): boolean {
    const { visitor, xml, path } = this
    if (!visitor.fastPath || path.length + maxFastPathDepth > this.limits.xmlNesting) return false
    const end = visitor.fastPath(xml, xml.at, path[path.length - 1] ?? '')
    if (end === xml.at) return false
    xml.at = end
    this.called = true
    return true
  }

  private takeText(): Step {
    const { xml } = this
    const start = xml.at
    let end = skipText(xml, start)
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
    this.emit(piece)
    return 'done'
  }

  private emit(piece: string): void {
    this.called = true
    this.visitor.text?.(piece, this.path.at(-1) ?? '')
  }

  private takeOpen(): Step {
    if (this.ended) return 'strange'
    const tag = readTag(this.xml)
    if (typeof tag === 'string') return tag
    const name = localName(tag.name)
    const parent = this.path.at(-1) ?? ''
    this.called = true
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
    this.called = true
    this.ended = this.path.length === 0
    this.visitor.close?.(name, this.path.at(-1) ?? '')
  }

  /** Processes a comment or CDATA. Anything else that begins with `<!` is strange. */
  private takeMarked(): Step {
    const { xml } = this
    const start = xml.skip(comment, xml.at)
    if (start < 0) return this.takeSection()
    const end = xml.find('--', start)
    if (end < 0 || end + 2 >= xml.length) return 'cut'
    if (xml.bytes[end + 2] !== greater || disallowed.test(xml.text(start, end))) return 'strange'
    xml.at = end + 3
    return 'done'
  }

  private takeSection(): Step {
    const { xml } = this
    const start = xml.skip(cdataStart, xml.at)
    if (start < 0) return xml.length < xml.at + cdataStart.length ? 'cut' : 'strange'
    if (this.path.length === 0) return 'strange'
    const end = xml.find(']]>', start)
    if (end < 0) return 'cut'
    const piece = xml.text(start, end)
    if (disallowed.test(piece)) return 'strange'
    xml.at = end + 3
    this.emit(piece)
    return 'done'
  }

  private takeDeclaration(): Step {
    const { xml } = this
    if (this.started) return 'strange'
    const end = xml.find('?>', xml.at)
    if (end < 0) return 'cut'
    if (!declaration.test(xml.text(xml.at, end + 2))) return 'strange'
    xml.at = end + 2
    return 'done'
  }
}
