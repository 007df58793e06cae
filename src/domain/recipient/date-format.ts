// Parses declared date formats, such as DD.MM.YYYY or M/D/YYYY, and reads dates written in them. Pure.

import { calendarDate, type IsoReading } from './calendar-date.ts'

export interface DateFormat {
  /** The format as it was declared. */
  text: string
  /** Reads a date written in this format. */
  read(value: string): IsoReading
}

const part = /dd?|mm?|yyyy/gi
const digits = { DD: '(\\d{2})', D: '(\\d{1,2})', MM: '(\\d{2})', M: '(\\d{1,2})', YYYY: '(\\d{4})' } as const
type Part = keyof typeof digits

/**
 * Parses a format of one day (DD or D), one month (MM or M) and one YYYY, separated by anything but letters and digits.
 * Returns null if `text` is not such a format. Two-digit years are not supported, because the century would be a guess:
 * birth dates may be in either.
 */
export function parseDateFormat(text: string): DateFormat | null {
  const trimmed = text.trim()
  const parts = (trimmed.match(part)?.map((each) => each.toUpperCase()) ?? null) as Part[] | null
  const initials = parts?.map((part) => part[0]).sort()
  if (!parts || initials?.join('') !== 'DMY') return null
  const between = trimmed.split(part)
  if (between.some((literal) => /[\p{L}\p{N}]/u.test(literal) || literal.length > 5)) return null
  // Without separators only fixed widths are unambiguous: DDMMYYYY, but not DMYYYY.
  if (between.slice(1, -1).includes('') && (parts.includes('D') || parts.includes('M'))) return null
  const source = between
    .map((literal, index) => escapeLiteral(literal) + (parts[index] ? digits[parts[index]] : ''))
    .join('')
  const shape = new RegExp(`^${source}$`, 'u')
  return { text, read: (value) => readParts(shape.exec(value), parts) }
}

function escapeLiteral(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function readParts(match: RegExpExecArray | null, parts: Part[]): IsoReading {
  if (!match) return { fault: 'shape' }
  const number = (initial: string) => Number(match[parts.findIndex((part) => part.startsWith(initial)) + 1])
  const date = calendarDate(number('Y'), number('M'), number('D'))
  return date ? { date } : { fault: 'no_such_day' }
}
