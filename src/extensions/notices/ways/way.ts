// What every way of sending a message has in common. Declares types only.

import type { wayKinds } from '#src/extensions/notices/settings/notify-settings.ts'
import type { MessageWords } from '../word-message.ts'

export interface OutgoingMessage {
  /** A uuid; the same for every try. */
  id: string
  createdAt: Date
  words: MessageWords
}

/** The result of one try. Problems are sentences for an operator, without addresses and secrets. */
export type WayResult =
  /** `problem`: what was not accepted, although the message was delivered to others. */
  | { kind: 'delivered'; problem: string | null }
  | { kind: 'failed'; problem: string }
  /** For its content or size: the same message would be refused again. */
  | { kind: 'refused'; problem: string }

/** One way to one recipient. */
export interface Way {
  kind: (typeof wayKinds)[number]
  /** For people, such as `e-mail to 2 addresses by smtp.example.edu`; without addresses and secrets. */
  description: string
  /** Leaves out what the way would refuse because of its length: `words.more` counts it. */
  trim(words: MessageWords): MessageWords
  /** Never rejects because of the network or the server. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<WayResult>
}
