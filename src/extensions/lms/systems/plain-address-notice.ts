// Builds the notice of `credsync check` about an unencrypted http:// address. Pure.

import { isOwnMachine } from '#src/platform/own-machine.ts'

/**
 * Returns no notice for an https address, or for an address on this machine.
 * @param what the data that is sent to the address
 */
export function plainAddressNotice(url: string, what = 'the token'): { notices?: string[] } {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || isOwnMachine(hostname)) return {}
  return {
    notices: [
      `its address begins with http://, so ${what} can be intercepted; set an address that begins with https://`,
    ],
  }
}
