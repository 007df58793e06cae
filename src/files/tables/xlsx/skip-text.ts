// Skips plain text in XML: text without references to resolve and without characters to refuse.

import type { XmlBytes } from './xml-bytes.ts'

const tab = 0x09
const lineFeed = 0x0a
const firstCharacter = 0x20
const ampersand = 0x26
const less = 0x3c
const bracket = 0x5d
const underscore = 0x5f
// The first byte of U+FFFE and U+FFFF, which are refused, and of some legal characters.
const firstRefusedByte = 0xef

/**
 * Properties of the text that was last skipped. They are not part of the return value, because returning an object
 * would cost as much as reading the text.
 */
export const lastText = { ascii: true, underscored: false }

/**
 * Returns the position where the text at `at` ends and a tag begins; -1 if the text is cut off or needs a closer check.
 */
export function skipText(xml: XmlBytes, at: number): number {
  const { bytes } = xml
  let seen = 0
  let underscored = false
  for (let end = at; ; end++) {
    const byte = bytes[end] as number
    if (byte === less) {
      lastText.ascii = seen < 0x80
      lastText.underscored = underscored
      return end
    }
    if (byte === ampersand || byte === bracket || byte === firstRefusedByte) return -1
    if (byte < firstCharacter && byte !== lineFeed && byte !== tab) return -1
    if (byte === underscore) underscored = true
    seen |= byte
  }
}

const opening = Buffer.from('<t>')
const openingThatKeepsSpace = Buffer.from('<t xml:space="preserve">')

/** Skips `<t>` and returns where its text begins. */
export function skipTextTag(xml: XmlBytes, at: number): number {
  const end = xml.skip(opening, at)
  return end < 0 ? xml.skip(openingThatKeepsSpace, at) : end
}
