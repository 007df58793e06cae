// What every channel of messages has in common: its types, and how a message is shortened to what a channel accepts.
// Pure.

import type { MessageWords, Section } from '#src/extensions/notices/compose-message.ts'
import type { channelKinds } from '#src/extensions/notices/settings/notify-settings.ts'

export interface OutgoingMessage {
  /** A uuid; the same for every try. */
  id: string
  createdAt: Date
  words: MessageWords
}

/** The result of one try. Problems are sentences for an operator, without addresses and secrets. */
export type SendResult =
  /** `problem`: what was not accepted, although the message was delivered to others. */
  | { kind: 'delivered'; problem: string | null }
  | { kind: 'failed'; problem: string }
  /** Because of its content or size: the same message would be refused again. */
  | { kind: 'refused'; problem: string }

/** A channel to one recipient. */
export interface Channel {
  kind: (typeof channelKinds)[number]
  /** For people, such as `e-mail to 2 addresses by smtp.example.edu`; without addresses and secrets. */
  description: string
  /** Leaves out what the channel would refuse because of its length: `words.more` counts it. */
  trim(words: MessageWords): MessageWords
  /** Never rejects because of the network or the server. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendResult>
}

/** Of a title that is too long on its own, in characters. */
const maxTitle = 200

/**
 * Returns the words of the longest message that fits. A notice that is too long on its own loses its last lines, and
 * the last notices are left for the next message.
 */
export function trimWords(words: MessageWords, fits: (words: MessageWords) => boolean): MessageWords {
  // On its own, with the line that counts the others.
  const isShort = (section: Section) =>
    fits({ ...words, sections: [section], more: words.more + words.sections.length })
  const sections = words.sections.map((section) => shortSection(section, isShort))
  for (let count = sections.length; ; count--) {
    const more = words.more + sections.length - count
    const shorter = { ...words, sections: sections.slice(0, count), more }
    if (count <= 1 || fits(shorter)) return shorter
  }
}

function shortSection(section: Section, isShort: (section: Section) => boolean): Section {
  const { title, lines } = section
  if (isShort(section)) return section
  for (let count = lines.length - 1; count >= 0; count--) {
    const shorter = { ...section, lines: [...lines.slice(0, count), '…'] }
    if (isShort(shorter)) return shorter
  }
  return { ...section, title: `${[...title].slice(0, maxTitle).join('')}…`, lines: [] }
}
