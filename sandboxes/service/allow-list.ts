// The IP allow list: which source addresses may call the API. Pure.

import { BlockList, isIP } from 'node:net'
import { SandboxSettingsError } from './settings-error.ts'

/**
 * Returns a function that checks a source address. Without entries, every address is allowed.
 * @throws SandboxSettingsError for an entry that is neither an address nor a range
 */
export function allowList(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => true
  const list = new BlockList()
  for (const entry of entries) add(list, entry)
  // An IPv4 caller on an IPv6 socket (::ffff:10.0.0.1) is matched by the IPv4 rules.
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function add(list: BlockList, entry: string): void {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? []
  const maxBits = isIP(address) === 6 ? 128 : 32
  if (isIP(address) === 0 || Number(bits ?? maxBits) > maxBits)
    throw new SandboxSettingsError(
      `Sandbox setting allowFrom: ${entry} is neither an address nor a range; write 192.0.2.7 or 192.0.2.0/24.`,
    )
  if (bits === undefined) list.addAddress(address, familyOf(address))
  else list.addSubnet(address, Number(bits), familyOf(address))
}
