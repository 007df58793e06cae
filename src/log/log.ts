// The only owner of pino. Code never formats a log line: it names an event and hands over ids, counts and codes.

import pino from 'pino'
import { type EventFields, type EventName, events } from './events.ts'

export interface Log {
  event(name: EventName, fields?: EventFields): void
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** JSON lines on stderr (stdout belongs to results). */
export function openLog(level: LogLevel, destination: NodeJS.WritableStream = process.stderr): Log {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  return {
    event(name, fields = {}) {
      const [at, words] = events[name]
      logger[at]({ event: name, ...withoutPeople(fields) }, words)
    },
  }
}

export const silentLog: Log = { event: () => {} }

/** The second net: a text that looks like an address or a long number is a person's until proven otherwise. */
function withoutPeople(fields: EventFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? maskPeople(value) : value]),
  )
}

/** Masks e-mail addresses and digit runs of seven and more, but leaves uuids alone. */
export function maskPeople(text: string): string {
  return text
    .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '[address]')
    .replace(/(?<![0-9a-f-])\+?\d[\d ()/]{5,}\d(?![0-9a-f-])/gi, '[number]')
}
