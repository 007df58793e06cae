// What every call passes before anything is done for it: the count, the token, the limit.

import type { FastifyRequest } from 'fastify'
import type { Clock } from '#src/time/clock.ts'
import type { Journal } from './journal.ts'
import { Refusal } from './refusal.ts'
import type { SandboxSettings } from './settings.ts'
import { SlidingLog } from './sliding-log.ts'
import type { TokenBook } from './token-book.ts'

/** Hooks for a route's `onRequest`, which runs before the body is read: a refused call costs nothing else. */
export interface Gate {
  /** For the two token endpoints: limited together per source address. */
  forTokens(request: FastifyRequest): Promise<void>
  /** For all others: a living access token, then the limit per key and endpoint. */
  forBearers(request: FastifyRequest): Promise<void>
}

export function openGate(settings: SandboxSettings, clock: Clock, tokens: TokenBook, journal: Journal): Gate {
  const general = new SlidingLog(settings.limits.general)
  const auth = new SlidingLog(settings.limits.auth)

  const admit = (log: SlidingLog, name: string, endpoint: string) => {
    if (log.admit(name, clock.monotonicMs())) return
    journal.throttled(endpoint)
    throw new Refusal(429, 'Too many requests. Slow down and send this one again.')
  }

  return {
    async forTokens(request) {
      const endpoint = endpointOf(request)
      journal.arrived(endpoint)
      admit(auth, request.ip, endpoint)
    },
    async forBearers(request) {
      const endpoint = endpointOf(request)
      journal.arrived(endpoint)
      const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const key = token === undefined ? null : tokens.holder(token, clock.monotonicMs())
      // A call without a living token has no key to count it on, so it is refused before the limit.
      if (key === null) throw new Refusal(401, 'Unauthorized. The access token is missing, unknown or too old.')
      admit(general, `${key} ${endpoint}`, endpoint)
    },
  }
}

/** "POST /path", without the ids in the path: the limit is per endpoint, not per course. */
function endpointOf(request: FastifyRequest): string {
  const path = (request.routeOptions.url ?? '').replaceAll(/\/:[^/]+/g, '')
  return `${request.method} ${path}`
}
