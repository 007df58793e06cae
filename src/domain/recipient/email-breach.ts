// Rejects values that cannot be an e-mail address. It is lenient on purpose, because the course's pattern and the
// service decide whether an address is valid. Pure.

import type { Breach } from './violation.ts'

const remedy = 'Write one address, such as name@example.org.'

/** @returns the reason why a filled value cannot be an e-mail address, or null */
export function emailBreach(value: string): Breach | null {
  const refuse = (wrong: string): Breach => ({ rule: 'email', wrong, remedy })
  if (!value.includes('@')) return refuse('which is not an e-mail address, because it has no @')
  if (/^@|@$/.test(value)) return refuse('which is not an e-mail address, because one side of the @ is empty')
  // In quotation marks, the part before the @ may contain nearly anything.
  if (value.startsWith('"')) return null
  if (/\s/.test(value)) return refuse('which is not one e-mail address, because it contains a space')
  return value.indexOf('@') === value.lastIndexOf('@')
    ? null
    : refuse('which is not one e-mail address, because it has several @')
}
