// Reads one opening tag, as far as it is a usual one.

import { resolveReferences } from './references.ts'
import type { XmlBytes } from './xml-bytes.ts'
import type { Attributes } from './xml-visitor.ts'

export interface Tag {
  name: string
  attributes: Attributes
  /** It closes itself. */
  closed: boolean
  /** Where the text goes on. */
  end: number
}

const namePart = 1
const nameStart = 2
// ASCII only: names in other letters are allowed, and no spreadsheet program uses them.
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
// U+FFFE and U+FFFF, which are refused, begin with it.
const highest = 0xef

/** The tag that begins at `xml.at`. `cut` when the bytes end within it, `strange` when it is anything unusual. */
export function readTag(xml: XmlBytes): Tag | 'cut' | 'strange' {
  const { bytes } = xml
  const begin = xml.at + 1
  let place = endOfName(bytes, begin)
  const named = place > begin
  const name = xml.ascii(begin, place)
  const attributes: Attributes = {}
  for (;;) {
    const gap = place
    let byte = bytes[place] as number
    while (byte === blank || byte === lineFeed || byte === tab) byte = bytes[++place] as number
    if (byte === greater && named) return { name, attributes, closed: false, end: place + 1 }
    if (byte === slash && bytes[place + 1] === greater && named)
      return { name, attributes, closed: true, end: place + 2 }
    const start = place
    place = endOfName(bytes, start)
    // A name, an equals sign and a quotation mark, with nothing between them, and a gap before.
    const mark = bytes[place + 1] as number
    const usual = start > gap && place > start && bytes[place] === equals && (mark === quote || mark === apostrophe)
    if (!usual) return place + 1 < xml.length ? 'strange' : 'cut'
    const end = endOfValue(bytes, place + 2, mark)
    if (bytes[end] !== mark) return end < xml.length ? 'strange' : 'cut'
    const key = xml.ascii(start, place)
    const value = valueText(xml, place + 2, end)
    if (value === undefined || attributes[key] !== undefined) return 'strange'
    attributes[key] = value
    place = end + 1
  }
}

/** Where the name that begins at `at` ends; `at` itself when none does. */
function endOfName(bytes: Buffer, at: number): number {
  if (roles[bytes[at] as number] !== nameStart) return at
  let end = at + 1
  while (roles[bytes[end] as number] !== 0) end++
  return end
}

/** Where the value that begins at `at` ends, or what it may not hold stands. Line ends and tabs would become blanks. */
function endOfValue(bytes: Buffer, at: number, mark: number): number {
  let end = at
  for (let byte = bytes[end] as number; byte !== mark; byte = bytes[++end] as number)
    if (byte === less || byte < blank || byte === highest) return end
  return end
}

function valueText(xml: XmlBytes, start: number, end: number): string | undefined {
  let seen = 0
  let references = false
  for (let place = start; place < end; place++) {
    const byte = xml.bytes[place] as number
    seen |= byte
    if (byte === ampersand) references = true
  }
  const value = seen < 0x80 ? xml.ascii(start, end) : xml.text(start, end)
  return references ? resolveReferences(value) : value
}
