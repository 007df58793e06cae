// Shortens a message to what a way accepts: a notice that is too long alone loses its last lines, and then the last
// notices are only counted. Pure.

import type { MessageWords, Section } from '../word-message.ts'

/** Of a title that is too long alone, in characters. */
const maxTitle = 200

/**
 * Returns the longest form of the message that fits.
 * @param options.isShort whether a notice is not too long alone
 */
export function fitMessage<Message>(
  words: MessageWords,
  options: {
    form(words: MessageWords): Message
    fits(message: Message): boolean
    isShort(section: Section): boolean
  },
): Message {
  const sections = words.sections.map((section) => shortSection(section, options.isShort))
  for (let count = sections.length; ; count--) {
    const more = words.more + sections.length - count
    const message = options.form({ ...words, sections: sections.slice(0, count), more })
    if (count === 0 || options.fits(message)) return message
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
