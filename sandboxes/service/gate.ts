// The checks that every call passes first: token and rate limit.

import { nameOf, type SandboxEndpoint } from './call.ts'
import { SandboxRefusal } from './refusal.ts'
import type { RouteContext } from './route-context.ts'
import { SlidingLog } from './sliding-log.ts'

/** @throws SandboxRefusal 401 or 429 */
export type RequestGate = (endpoint: SandboxEndpoint, authorization: string | undefined) => void

export function openGate({ settings, clock, tokens, journal }: RouteContext): RequestGate {
  const general = new SlidingLog(settings.limits.general)
  const auth = new SlidingLog(settings.limits.auth)

  const admit = (log: SlidingLog, name: string) => {
    if (log.admit(name, clock.monotonicMs())) return
    journal.throttled()
    throw new SandboxRefusal(429, 'Too many requests. Slow down and send this one again.')
  }

  return (endpoint, authorization = '') => {
    if (endpoint.admits === 'anyone') return
    // All token endpoints together are limited per source address, which here is always the same; the others per key.
    if (endpoint.admits === 'key holders') return admit(auth, 'loopback')
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const key = token === undefined ? null : tokens.holder(token, clock.monotonicMs())
    // A call without a valid token has no key to count it for, so it is refused before the limit applies.
    if (key === null) throw new SandboxRefusal(401, 'Unauthorized. The access token is missing, unknown or too old.')
    admit(general, `${key} ${nameOf(endpoint)}`)
  }
}
