// Shortens a message to what a way accepts: a notice that is too long alone loses its last lines, and the last notices
// are left for the next message. Pure.

import type { MessageWords, Section } from '../word-message.ts'

/** Of a title that is too long alone, in characters. */
const maxTitle = 200

/**
 * Returns the words of the longest message that fits.
 * @param options.isShort whether a notice is not too long alone; one that is not always fits
 */
export function trimWords(
  words: MessageWords,
  options: { fits(words: MessageWords): boolean; isShort(section: Section): boolean },
): MessageWords {
  const sections = words.sections.map((section) => shortSection(section, options.isShort))
  for (let count = sections.length; ; count--) {
    const more = words.more + sections.length - count
    const shorter = { ...words, sections: sections.slice(0, count), more }
    if (count <= 1 || options.fits(shorter)) return shorter
  }
}

function shortSection(section: Section, isShort: (section: Section) => boolean): Section {
  const { title, lines } = section
  if (isShort(section)) return section
  for (let count = lines.length - 1; count >= 0; count--) {
    const shorter = { ...section, lines: [...lines.slice(0, count), '…'] }
    if (isShort(shorter)) return shorter
  }
  // By whole characters: half a surrogate pair is none.
  return { ...section, title: `${[...title].slice(0, maxTitle).join('')}…`, lines: [] }
}
