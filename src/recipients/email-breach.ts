// What no e-mail address looks like. Timid on purpose: whether an address is a good one is for the course's pattern and the service.

import type { Breach } from './violation.ts'

const remedy = 'Write one address, such as name@example.org.'

/** What makes a filled value surely no e-mail address, if anything. */
export function emailBreach(value: string): Breach | null {
  const refuse = (wrong: string): Breach => ({ rule: 'email', wrong, remedy })
  if (!value.includes('@')) return refuse('which is no e-mail address, because it has no @')
  if (/^@|@$/.test(value)) return refuse('which is no e-mail address, because one side of the @ is empty')
  // In quotation marks the part before the @ may hold nearly anything.
  if (value.startsWith('"')) return null
  if (/\s/.test(value)) return refuse('which is not one e-mail address, because there is a space in it')
  return value.indexOf('@') === value.lastIndexOf('@')
    ? null
    : refuse('which is not one e-mail address: it has several @')
}
