// The checks that every call passes first: address, token and rate limit.

import type { Clock } from '#sandboxes/clock.ts'
import { allowList } from './allow-list.ts'
import { nameOf, type SandboxEndpoint } from './call.ts'
import type { Journal } from './journal.ts'
import { SandboxRefusal } from './refusal.ts'
import type { SandboxSettings } from './settings.ts'
import { SlidingLog } from './sliding-log.ts'
import type { TokenStore } from './token-store.ts'

export interface Caller {
  /** Source address. */
  address: string
  authorization: string | undefined
}

/**
 * Checks a caller before the body is read, so that a refused call costs nothing else.
 * @throws SandboxRefusal 401 or 429
 */
export type RequestGate = (endpoint: SandboxEndpoint, caller: Caller) => void

/** @throws SandboxSettingsError for invalid addresses */
export function openGate(settings: SandboxSettings, clock: Clock, tokens: TokenStore, journal: Journal): RequestGate {
  const general = new SlidingLog(settings.limits.general)
  const auth = new SlidingLog(settings.limits.auth)
  const allows = allowList(settings.allowFrom)

  const admit = (log: SlidingLog, name: string, endpoint: string) => {
    if (log.admit(name, clock.monotonicMs())) return
    journal.throttled(endpoint)
    throw new SandboxRefusal(429, 'Too many requests. Slow down and send this one again.')
  }

  return (endpoint, { address, authorization = '' }) => {
    const name = nameOf(endpoint)
    if (endpoint.admits === 'anyone') return
    if (!allows(address)) throw new SandboxRefusal(401, 'Unauthorized. Calls from this address are not allowed.')
    // All token endpoints together are limited per source address, the others per key.
    if (endpoint.admits === 'key holders') return admit(auth, address, name)
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const key = token === undefined ? null : tokens.holder(token, clock.monotonicMs())
    // A call without a valid token has no key to count it for, so it is refused before the limit applies.
    if (key === null) throw new SandboxRefusal(401, 'Unauthorized. The access token is missing, unknown or too old.')
    admit(general, `${key} ${name}`, name)
  }
}
