// Finds the network that an IP address belongs to, so that limits apply to an internet subscriber rather than to a
// single address. Pure.

import { isIPv6 } from 'node:net'

/**
 * Returns what an internet provider assigns to one subscriber: an IPv4 address, or the /64 of an IPv6 address, which
 * contains 2^64 addresses.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const groups = (text = '') => text.split(':').filter((each) => each !== '')
  const [head, tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::').map(groups)
  const [first = [], last = []] = [head, tail]
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last].slice(0, 4).join(':')
}
