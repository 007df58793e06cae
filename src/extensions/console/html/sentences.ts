// Sentences of the commands as markup. Pure.

import { oneLine } from '#src/platform/text.ts'
import { html, type Markup } from './markup.ts'
import type { ShownTimes } from './times.ts'

const marked = /`([^`]+)`|(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z| UTC)/g

/** A sentence of the commands as markup: what is in backticks becomes code, and times get the console's time zone. */
export function sentence(text: string, times: ShownTimes): Markup {
  const line = oneLine(text)
  const pieces: Markup[] = []
  let from = 0
  for (const match of line.matchAll(marked)) {
    const [whole, code, day, time] = match
    pieces.push(html`${line.slice(from, match.index)}`)
    const at = new Date(`${day}T${time}Z`)
    if (code !== undefined) pieces.push(html`<code>${code}</code>`)
    else pieces.push(Number.isNaN(at.getTime()) ? html`${whole}` : times.at(at))
    from = match.index + whole.length
  }
  return [...pieces, html`${line.slice(from)}`]
}

/** Makes a sentence of a clause that the commands put inside a line. An issuance id such as i42 stays as it is. */
export function asSentence(clause: string): string {
  const [first = '', ...rest] = clause
  const begin = /^i\d/.test(clause) ? first : first.toUpperCase()
  return `${begin}${rest.join('')}${/[.!?:]$/.test(clause) ? '' : '.'}`
}
