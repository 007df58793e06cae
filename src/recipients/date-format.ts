// Declared date formats, such as DD.MM.YYYY or M/D/YYYY.

import { calendarDate, type IsoReading } from './calendar-date.ts'

export interface DateFormat {
  /** As it was declared. */
  text: string
  /** Reads a date written in this format. */
  read(value: string): IsoReading
}

const part = /dd?|mm?|yyyy/gi
const digits = { DD: '(\\d{2})', D: '(\\d{1,2})', MM: '(\\d{2})', M: '(\\d{1,2})', YYYY: '(\\d{4})' } as const
type Part = keyof typeof digits

/**
 * A format of one day (DD or D), one month (MM or M) and one YYYY, between them anything but letters and digits; null when
 * `text` is not one. Two-digit years are not offered: the century would be a guess, and birth dates fall on both sides.
 */
export function parseDateFormat(text: string): DateFormat | null {
  const trimmed = text.trim()
  const parts = (trimmed.match(part)?.map((each) => each.toUpperCase()) ?? null) as Part[] | null
  const initials = parts?.map((each) => each[0]).sort()
  if (!parts || initials?.join('') !== 'DMY') return null
  const between = trimmed.split(part)
  if (between.some((literal) => /[\p{L}\p{N}]/u.test(literal) || literal.length > 5)) return null
  // Without anything between them only fixed widths can be told apart: DDMMYYYY, but not DMYYYY.
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
  const number = (initial: string) => Number(match[parts.findIndex((each) => each.startsWith(initial)) + 1])
  const date = calendarDate(number('Y'), number('M'), number('D'))
  return date ? { date } : { fault: 'no_such_day' }
}
