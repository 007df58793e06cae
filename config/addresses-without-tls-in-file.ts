// Finds the addresses in the configuration file that are used without TLS. Pure.

import { plainConsoleAddresses } from '#src/extensions/console/settings/addresses-without-tls.ts'
import { plainSystemAddresses } from '#src/extensions/lms/settings/left-out-of-hash.ts'
import { plainNoticeAddresses } from '#src/extensions/notices/settings/addresses-without-tls.ts'
import type { PlainAddress } from './addresses-without-tls.ts'

/**
 * Returns the addresses that are not protected by TLS.
 * @param file as read or as parsed, so that other faults in it do not hide an address
 */
export function plainAddressesInFile(file: unknown): PlainAddress[] {
  const found: PlainAddress[] = []
  found.push(...plainSystemAddresses(file))
  found.push(...plainNoticeAddresses(file))
  found.push(...plainConsoleAddresses(file))
  return found
}
