// Times as people read them: in the time zone of the console, with UTC where the pointer rests. Pure.

import { html, type Markup } from './markup.ts'

export interface ShownTimes {
  timeZone: string
  /** A date and time. */
  at(date: Date | string): Markup
  /** The same with seconds, where what happened at nearly the same time is listed. */
  exactly(date: Date | string): Markup
  /** The day of an instant, such as 2026-11-28. */
  dayOf(date: Date): string
  /** The instant at which a day begins; null if the text is no day. */
  beginOf(day: string): Date | null
}

export function openTimes(timeZone: string): ShownTimes {
  const minutes = {
    ...({ timeZone, day: 'numeric', month: 'short', year: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
  }
  const format = new Intl.DateTimeFormat('en-GB', minutes)
  const exactFormat = new Intl.DateTimeFormat('en-GB', { ...minutes, second: '2-digit' })
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  })
  /** What clocks show at an instant, as if that were UTC. */
  const local = (date: Date) => {
    const shown = Object.fromEntries(parts.formatToParts(date).map(({ type, value }) => [type, value]))
    return `${shown.year}-${shown.month}-${shown.day}T${shown.hour}:${shown.minute}:${shown.second}Z`
  }
  return {
    timeZone,
    at: (date) => element(date, format),
    exactly: (date) => element(date, exactFormat),
    dayOf: (date) => local(date).slice(0, 10),
    beginOf(day) {
      const wanted = /^[12]\d{3}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
      if (Number.isNaN(wanted)) return null
      // Twice, because the clocks may change between the first guess and the beginning of the day.
      let instant = wanted
      for (let round = 0; round < 2; round++) instant += wanted - Date.parse(local(new Date(instant)))
      return new Date(instant)
    },
  }
}

function element(date: Date | string, format: Intl.DateTimeFormat): Markup {
  const instant = new Date(date)
  const iso = instant.toISOString()
  const tooltip = `${iso.slice(0, 19).replace('T', ' ')} UTC`
  return html`<time datetime="${iso}" title="${tooltip}">${format.format(instant)}</time>`
}

/** Returns for example `3 min` or `2 h 5 min`. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.round(hours / 24)} days`
}
