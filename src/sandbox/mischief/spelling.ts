// Other spellings of the same e-mail address and the same name, as a report may show them.

import { drawsOf } from './draw.ts'
import type { Mischief } from './mischief.ts'

type Respelling = (text: string) => string

const capitalised: Respelling = (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
const swappedCase: Respelling = (text) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())
const emailWays: readonly Respelling[] = [
  swappedCase,
  (text) => ` ${text}`,
  (text) => `${text} `,
  (text) => `${swappedCase(text)} `,
]
const nameWays: readonly Respelling[] = [
  swappedCase,
  (text) => (capitalised(text) === text ? text.toLowerCase() : capitalised(text)),
  (text) => `${text} `,
  (text) => ` ${text.replaceAll(' ', '  ')}`,
]

export interface Spelt {
  email: Respelling | null
  name: Respelling | null
}

const asSent: Spelt = { email: null, name: null }

/** How the request of a number is spelt; a request keeps its spelling as long as the setting stays. */
export function spellingOf({ spelling }: Mischief, seed: string): (number: number) => Spelt {
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

/** The report's item with its spelling changed in place. */
export function respell<T extends Record<'name' | 'fname' | 'lname' | 'email_', string | null>>(
  item: T,
  { email, name }: Spelt,
): T {
  if (email && item.email_ !== null) item.email_ = email(item.email_)
  if (name)
    for (const field of ['name', 'fname', 'lname'] as const) if (item[field] !== null) item[field] = name(item[field])
  return item
}
