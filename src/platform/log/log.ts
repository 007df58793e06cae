// Writes the structured log. Callers never format a log line: they name an event and pass ids, counts and codes. No
// other file uses pino.

import pino from 'pino'
import { type EventFields, type EventName, events } from './events.ts'

export interface Log {
  event(name: EventName, fields?: EventFields): void
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Writes JSON lines to stderr by default, because stdout is for results. */
export function openLog(level: LogLevel, destination: NodeJS.WritableStream = process.stderr): Log {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  return {
    event(name, fields = {}) {
      const [severity, message] = events[name]
      logger[severity]({ event: name, ...maskFields(fields) }, message)
    },
  }
}

export const silentLog: Log = { event: () => {} }

/**
 * A second safeguard beside the allow-list of fields: text that looks like an address or a long number is treated as
 * personal data.
 */
function maskFields(fields: EventFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? maskPeople(value) : value]),
  )
}

/** Masks e-mail addresses and runs of seven or more digits, but leaves uuids alone. */
export function maskPeople(text: string): string {
  return text
    .replace(/(?<![^\s<>"'(),;:])[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '[address]')
    .replace(/(?<![0-9a-f-])\+?\d[\d ()/]{5,}\d(?![0-9a-f-])/gi, '[number]')
}
