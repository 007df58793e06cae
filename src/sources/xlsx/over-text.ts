// Steps over a text that needs nothing: no reference is resolved in it, and no character refused.

import type { XmlBytes } from './xml-bytes.ts'

const tab = 0x09
const lineFeed = 0x0a
const firstCharacter = 0x20
const ampersand = 0x26
const less = 0x3c
const bracket = 0x5d
const underscore = 0x5f
// U+FFFE and U+FFFF begin with it, and a few letters that are wanted.
const highest = 0xef

/** What the last text was made of, beside where it ended: to be told both would cost as much as the text. */
export const lastText = { ascii: true, underscored: false }

/** Where the text at `at` ends and a tag begins. -1 when it is cut off, or somebody else has to have a closer look. */
export function overText(xml: XmlBytes, at: number): number {
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
    if (byte === ampersand || byte === bracket || byte === highest) return -1
    if (byte < firstCharacter && byte !== lineFeed && byte !== tab) return -1
    if (byte === underscore) underscored = true
    seen |= byte
  }
}

const opening = Buffer.from('<t>')
const keeping = Buffer.from('<t xml:space="preserve">')

/** Over `<t>`, to where a text begins. */
export function overTextTag(xml: XmlBytes, at: number): number {
  const end = xml.over(opening, at)
  return end < 0 ? xml.over(keeping, at) : end
}
