// Reads one opening tag of XML if it has the usual form.

import type { XmlBytes } from './xml-bytes.ts'
import { resolveReferences } from './xml-references.ts'
import type { Attributes } from './xml-visitor.ts'

export interface Tag {
  name: string
  attributes: Attributes
  /** True if the tag is self-closing. */
  closed: boolean
  /** The position after the tag. */
  end: number
}

const namePart = 1
const nameStart = 2
// ASCII only: XML allows other letters in names, but no spreadsheet program uses them.
const roles = new Uint8Array(256)
for (const byte of Buffer.from('0123456789-.:')) roles[byte] = namePart
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_')) roles[byte] = nameStart

const tab = 0x09
const lineFeed = 0x0a
const blank = 0x20
const quote = 0x22
const ampersand = 0x26
const apostrophe = 0x27
const slash = 0x2f
const less = 0x3c
const equals = 0x3d
const greater = 0x3e
// The first byte of U+FFFE and U+FFFF, which are refused.
const firstRefusedByte = 0xef

/**
 * Reads the tag that begins at `xml.at`. Returns `cut` if the bytes end within it, and `strange` if its form is
 * unusual.
 */
export function readTag(xml: XmlBytes): Tag | 'cut' | 'strange' {
  const { bytes } = xml
  const begin = xml.at + 1
  let position = endOfName(bytes, begin)
  const hasName = position > begin
  const name = xml.ascii(begin, position)
  const attributes: Attributes = {}
  for (;;) {
    const gap = position
    let byte = bytes[position] as number
    while (byte === blank || byte === lineFeed || byte === tab) byte = bytes[++position] as number
    if (byte === greater && hasName) return { name, attributes, closed: false, end: position + 1 }
    if (byte === slash && bytes[position + 1] === greater && hasName)
      return { name, attributes, closed: true, end: position + 2 }
    const start = position
    position = endOfName(bytes, start)
    // The usual form: white space, then a name, an equals sign and a quotation mark with nothing between them.
    const mark = bytes[position + 1] as number
    const usual =
      start > gap && position > start && bytes[position] === equals && (mark === quote || mark === apostrophe)
    if (!usual) return position + 1 < xml.length ? 'strange' : 'cut'
    const end = endOfValue(bytes, position + 2, mark)
    if (bytes[end] !== mark) return end < xml.length ? 'strange' : 'cut'
    const key = xml.ascii(start, position)
    const value = valueText(xml, position + 2, end)
    if (value === undefined || attributes[key] !== undefined) return 'strange'
    attributes[key] = value
    position = end + 1
  }
}

/** Returns the end of the name that begins at `at`; `at` itself if there is no name. */
function endOfName(bytes: Buffer, at: number): number {
  if (roles[bytes[at] as number] !== nameStart) return at
  let end = at + 1
  while (roles[bytes[end] as number] !== 0) end++
  return end
}

/**
 * Returns the end of the value that begins at `at`, or the position of the first character that it may not contain.
 * Line ends and tabs are not allowed, because they would have to be converted to blanks.
 */
function endOfValue(bytes: Buffer, at: number, mark: number): number {
  let end = at
  for (let byte = bytes[end] as number; byte !== mark; byte = bytes[++end] as number)
    if (byte === less || byte < blank || byte === firstRefusedByte) return end
  return end
}

function valueText(xml: XmlBytes, start: number, end: number): string | undefined {
  let seen = 0
  let references = false
  for (let position = start; position < end; position++) {
    const byte = xml.bytes[position] as number
    seen |= byte
    if (byte === ampersand) references = true
  }
  const value = seen < 0x80 ? xml.ascii(start, end) : xml.text(start, end)
  return references ? resolveReferences(value) : value
}
