// What every call passes before anything is done for it: the address, the token and the limit.

import type { Clock } from '#src/time/clock.ts'
import { allowList } from './allow-list.ts'
import { type Endpoint, nameOf } from './call.ts'
import type { Journal } from './journal.ts'
import { Refusal } from './refusal.ts'
import type { SandboxSettings } from './settings.ts'
import { SlidingLog } from './sliding-log.ts'
import type { TokenBook } from './token-book.ts'

export interface Caller {
  /** Source address. */
  address: string
  authorization: string | undefined
}

/** Judges a caller before the body is read: a refused call costs nothing else. @throws Refusal 401 or 429 */
export type Gate = (endpoint: Endpoint, caller: Caller) => void

/** @throws SandboxSettingsError for addresses that are none */
export function openGate(settings: SandboxSettings, clock: Clock, tokens: TokenBook, journal: Journal): Gate {
  const general = new SlidingLog(settings.limits.general)
  const auth = new SlidingLog(settings.limits.auth)
  const allows = allowList(settings.allowFrom)

  const admit = (log: SlidingLog, name: string, endpoint: string) => {
    if (log.admit(name, clock.monotonicMs())) return
    journal.throttled(endpoint)
    throw new Refusal(429, 'Too many requests. Slow down and send this one again.')
  }

  return (endpoint, { address, authorization = '' }) => {
    const name = nameOf(endpoint)
    if (endpoint.admits === 'anybody') return
    if (!allows(address)) throw new Refusal(401, 'Unauthorized. Calls from this address are not allowed.')
    // All token endpoints together are limited per source address, the others each per key.
    if (endpoint.admits === 'key holders') return admit(auth, address, name)
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const key = token === undefined ? null : tokens.holder(token, clock.monotonicMs())
    // A call without a living token has no key to count it on, so it is refused before the limit.
    if (key === null) throw new Refusal(401, 'Unauthorized. The access token is missing, unknown or too old.')
    admit(general, `${key} ${name}`, name)
  }
}
