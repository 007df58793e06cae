// The form in which a notice is described, and the phrases that its descriptions have in common. Pure.

import type { Facts } from './facts.ts'

export interface Description {
  /** What is the case, without a full stop. */
  title: string
  /** What is the case once it has ended; null if that is the same sentence. */
  over: string | null
  /** Details, and what to do. */
  lines: string[]
}

/** The words for each thing that a notice can be about. */
export type Words = { [About in Facts['about']]: (facts: Extract<Facts, { about: About }>) => Description }

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
export const verb = (count: number, one: string, many: string) => (count === 1 ? one : many)

export const trouble = (title: string, over: string, problem: string, ...more: string[]): Description => ({
  title,
  over,
  lines: [`${withoutFullStop(problem)}.`, ...more],
})

/** For example `at 06:00 on Mon 24 Nov (Europe/Berlin)`. */
export function localTime(iso: string, timeZone: string): string {
  const at = new Date(iso)
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at).replace(',', '')
  return `at ${format({ hour: '2-digit', minute: '2-digit' })} on ${format({ weekday: 'short', day: 'numeric', month: 'short' })} (${timeZone})`
}

function withoutFullStop(sentence: string): string {
  return sentence.trim().replace(/\.$/, '')
}
