// What protects the console from other sites and slow clients: where a request comes from, the headers of each answer,
// and how long a request may take to arrive.

import type { IncomingMessage } from 'node:http'
import type { Clock } from '#src/platform/time/clock.ts'
import type { OwnAddress } from './own-address.ts'

/**
 * Browsers say where a request comes from: by `Sec-Fetch-Site` over https and on their own machine, and otherwise by
 * `Origin`. A request that says neither comes from no page of ours.
 */
export function isFromOwnPage(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  address: Pick<OwnAddress, 'isOwnOrigin'>,
): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  return typeof origin === 'string' && address.isOwnOrigin(origin)
}

const contentSecurity = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The headers of every answer: a browser runs and shows only what the console itself serves, never in a frame, and
 * keeps no copy.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurity,
  'x-content-type-options': 'nosniff',
  // Not `no-referrer`, with which browsers send forms without saying which page they come from.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
}

/**
 * Ends requests that take too long to arrive, so that nobody occupies the connections. The server's own limit is for
 * lists; this one is for everything else.
 */
export interface SlowRequests {
  watch(request: IncomingMessage): void
  /** The request may take as long as it needs. */
  allow(request: IncomingMessage): void
}

export function openSlowRequests(clock: Clock, ms: number): SlowRequests {
  const watched = new WeakMap<IncomingMessage, AbortController>()
  return {
    watch(request) {
      const over = new AbortController()
      watched.set(request, over)
      request.once('close', () => over.abort())
      clock.sleep(ms, over.signal).then(
        () => request.complete || request.destroy(),
        () => {},
      )
    },
    allow: (request) => watched.get(request)?.abort(),
  }
}
