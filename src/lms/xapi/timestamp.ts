// Parses xAPI timestamps. 1.0.3 (Data 4.5) requires ISO 8601; 2.0 (IEEE 9274.1.1) requires its profile RFC 3339. Pure.

const extended =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:([Zz])|([+-])(\d{2})(?::?(\d{2}))?)?$/
const basic = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d+))?)?(?:(Z)|([+-])(\d{2})(\d{2})?)?$/
const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/**
 * Returns milliseconds since 1970; null when the text is not a date with a time. A time without a time zone is read as
 * UTC. An offset of minus zero is rejected: in RFC 3339 (4.3) it means "offset unknown", and ISO 8601 forbids it.
 */
export function instantOf(text: string): number | null {
  const parts = extended.exec(text) ?? basic.exec(text)
  if (!parts) return null
  const numberAt = (index: number) => Number(parts[index] ?? 0)
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(numberAt) as DateParts
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (month < 1 || month > 12 || day < 1 || day > lastDay || hour > 23 || minute > 59 || second > 60) return null
  const [sign, offsetHours, offsetMinutes] = [parts[9], numberAt(10), numberAt(11)]
  if (offsetHours > 23 || offsetMinutes > 59 || (sign === '-' && offsetHours + offsetMinutes === 0)) return null
  const milliseconds = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const offsetMs = (sign === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, milliseconds)
  return date.getTime() - offsetMs
}

type DateParts = [number, number, number, number, number, number]

export function isIso8601(text: string): boolean {
  return instantOf(text) !== null
}

export function isRfc3339(text: string): boolean {
  return rfc3339.test(text) && instantOf(text) !== null
}
