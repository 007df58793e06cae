// Times as people read them: in the time zone of the console, with UTC where the pointer rests. Pure.

import { html, type Markup } from './markup.ts'

export interface ShownTimes {
  timeZone: string
  /** A date and time. */
  at(date: Date | string): Markup
  /** The same with seconds, where what happened at nearly the same time is listed. */
  exactly(date: Date | string): Markup
}

export function openTimes(timeZone: string): ShownTimes {
  const minutes = { timeZone, dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const
  const format = new Intl.DateTimeFormat('en-GB', minutes)
  const exactFormat = new Intl.DateTimeFormat('en-GB', { ...minutes, timeStyle: 'medium' })
  return { timeZone, at: (date) => element(date, format), exactly: (date) => element(date, exactFormat) }
}

function element(date: Date | string, format: Intl.DateTimeFormat): Markup {
  const instant = new Date(date)
  const iso = instant.toISOString()
  const tooltip = `${iso.slice(0, 19).replace('T', ' ')} UTC`
  return html`<time datetime="${iso}" title="${tooltip}">${format.format(instant)}</time>`
}
