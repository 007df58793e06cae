// A person as the data of a row describe it, for those who may see names. Pure.

import { facts, nothing, wordsOrNull } from './elements.ts'
import type { Markup } from './markup.ts'

type Recipient = Readonly<Record<string, string>> | null | undefined

/** The fields that together are a name; null if the record has none. */
export function nameOf(recipient: Recipient): string | null {
  if (!recipient) return null
  const part = (pattern: RegExp) => Object.entries(recipient).find(([field]) => pattern.test(field))?.[1] ?? ''
  const name = `${part(/^first.?name$/i)} ${part(/^last.?name$/i)}`.trim()
  return name || part(/^(full.?)?name$/i) || null
}

export function sentFields(recipient: Recipient): Markup {
  if (!recipient) return nothing('The data of this person were removed.')
  return facts(Object.entries(recipient).map(([field, value]) => [field, wordsOrNull(value)] as const))
}
