// What a person was told of a decision, shown on the page to which it led. The address has only the number of the act, so
// that no link can make the console say anything untrue.

import { html, type Markup } from '../html/markup.ts'
import { sentence } from '../html/sentences.ts'
import type { Console, Visit } from '../visit.ts'

/** It is news for so long. */
const shownMs = 10 * 60_000

/** Null if the address names no recent decision of this person. */
export async function decisionMessage({ parts, times }: Console, { query, visitor }: Visit): Promise<Markup> {
  const id = /^\d{1,15}$/.exec(query.get('done') ?? '')?.[0]
  if (id === undefined) return null
  const since = new Date(parts.clock.now().getTime() - shownMs)
  const message = await parts.ledger.consoleActs.decided(Number(id), visitor.name, since)
  return message === null ? null : html`<p class="done" role="status">${sentence(message, times)}</p>`
}
