// A person as the data of a row describe it, for those who may see names.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { keyWithRole } from '#src/domain/recipient/field-role.ts'
import { facts, nothing } from './elements.ts'
import { html, type Markup } from './markup.ts'

type Recipient = Readonly<Record<string, string>> | null | undefined

/** What was sent for issuances, by their ids; null once the data of a person were deleted. */
export async function sentRecipients({ consoleReadings }: WholeLedger, ids: readonly number[]) {
  const people = await consoleReadings.recipients(ids)
  return new Map(people.map(({ issuance, recipient }) => [issuance, recipient]))
}

/** The fields that together are a name; null if the record has none. */
export function nameOf(recipient: Recipient): string | null {
  if (!recipient) return null
  const part = (pattern: RegExp) => Object.entries(recipient).find(([field]) => pattern.test(field))?.[1] ?? ''
  const name = `${part(/^first.?name$/i)} ${part(/^last.?name$/i)}`.trim()
  return name || part(/^(full.?)?name$/i) || null
}

/** An address or number, by which people of the same name can be told apart; null if the record has none. */
export function contactOf(recipient: Recipient): string | null {
  const keys = Object.keys(recipient ?? {})
  const values = (['email', 'phone'] as const).map((role) => recipient?.[keyWithRole(keys, role) ?? ''])
  return values.find(Boolean) ?? null
}

/** A link to a row by the name of its person, with the address beside it. */
export function personLink(href: string, id: number, recipient: Recipient): Markup {
  const contact = contactOf(recipient)
  return html`<a href="${href}">${nameOf(recipient) ?? `i${id}`}</a>${contact && html` <span class="remark">${contact}</span>`}`
}

export function sentFields(recipient: Recipient): Markup {
  if (!recipient) return nothing('The data of this person were removed.')
  return facts(Object.entries(recipient))
}

/** Links to the pages of issuances by their ids. */
export const issuanceLinks = (base: string, ids: readonly number[]): Markup =>
  html`${ids.map((id, at) => html`${at > 0 ? ', ' : ''}<a href="${base}/people/i${id}">i${id}</a>`)}`
