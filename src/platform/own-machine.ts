// Recognizes the loopback addresses of this machine. Connections to them cannot be intercepted on a network. Pure.

import { isIPv4 } from 'node:net'

/** @param host as written in a URL or a setting: localhost, 127.0.0.1, ::1 or [::1] */
export function isOwnMachine(host: string): boolean {
  if (host === 'localhost') return true
  const address = host.replace(/^\[(.*)\]$/, '$1')
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'))
}
