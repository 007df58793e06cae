// Deliveries that prove nothing: only the address they come from is looked at.

import { BlockList, isIP } from 'node:net'
import type { EventAuthOf } from '#config/event-auth-settings.ts'
import { type Delivery, refuse, type Verdict } from './delivery.ts'

export function checkAddress(settings: EventAuthOf<'none'>, delivery: Delivery): Verdict {
  const allowed = new BlockList()
  for (const range of settings.allow) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    if (bits === undefined) allowed.addAddress(address, family)
    else allowed.addSubnet(address, Number(bits), family)
  }
  // BlockList knows IPv4 in IPv6 (::ffff:192.0.2.7) and addresses with a zone (fe80::1%eth0).
  const address = delivery.remoteAddress
  const fits = isIP(address) !== 0 && allowed.check(address, familyOf(address))
  return fits ? { ok: true, body: delivery.body } : refuse('address-not-allowed')
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
