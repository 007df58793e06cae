// Checks the sender's IP address, for events without any other authentication. Pure.

import { BlockList, isIP } from 'node:net'
import type { EventAuthOf } from './event-auth-settings.ts'
import { type AuthVerdict, type InboundRequest, refuse } from './inbound-request.ts'

export function checkAddress(settings: EventAuthOf<'none'>, delivery: InboundRequest): AuthVerdict {
  const allowed = new BlockList()
  for (const range of settings.allow) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    if (bits === undefined) allowed.addAddress(address, family)
    else allowed.addSubnet(address, Number(bits), family)
  }
  // BlockList handles IPv4-mapped IPv6 addresses (::ffff:192.0.2.7) and addresses with a zone (fe80::1%eth0).
  const address = delivery.remoteAddress
  const isAllowed = isIP(address) !== 0 && allowed.check(address, familyOf(address))
  return isAllowed ? { ok: true, body: delivery.body } : refuse('address-not-allowed')
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
