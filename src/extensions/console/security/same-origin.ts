// Decides whether a request that changes something comes from a page of the console. Pure.

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
