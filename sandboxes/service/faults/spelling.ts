// Fault: the report shows an e-mail address or name in a different spelling. Pure.

import { drawsOf } from './draw.ts'
import type { Faults } from './faults.ts'

type Respelling = (text: string) => string

const capitalized: Respelling = (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
const swappedCase: Respelling = (text) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())
const emailWays: readonly Respelling[] = [
  swappedCase,
  (text) => ` ${text}`,
  (text) => `${text} `,
  (text) => `${swappedCase(text)} `,
]
const nameWays: readonly Respelling[] = [
  swappedCase,
  (text) => (capitalized(text) === text ? text.toLowerCase() : capitalized(text)),
  (text) => `${text} `,
  (text) => ` ${text.replaceAll(' ', '  ')}`,
]

export interface Spelling {
  email: Respelling | null
  name: Respelling | null
}

const asSent: Spelling = { email: null, name: null }

/** Returns a function that chooses the spelling of a request (by number), which only changes with the setting. */
export function spellingOf({ spelling }: Faults, seed: string): (number: number) => Spelling {
  if (!spelling) return () => asSent
  const picker = (share: number | undefined, ways: readonly Respelling[], what: string) => {
    if (!share) return () => null
    const [drawn, way] = [drawsOf(seed, `spelling of ${what}`, 0), drawsOf(seed, `way of ${what}`, 0)]
    return (number: number) => (drawn(number) < share ? (ways[Math.floor(way(number) * ways.length)] ?? null) : null)
  }
  const email = picker(spelling.emails, emailWays, 'e-mails')
  const name = picker(spelling.names, nameWays, 'names')
  return (number) => ({ email: email(number), name: name(number) })
}

/** Changes the spelling in an item of the report, in place. */
export function respell<T extends Record<'name' | 'fname' | 'lname' | 'email_', string | null>>(
  item: T,
  { email, name }: Spelling,
): T {
  if (email && item.email_ !== null) item.email_ = email(item.email_)
  if (name)
    for (const field of ['name', 'fname', 'lname'] as const) if (item[field] !== null) item[field] = name(item[field])
  return item
}
