// Checks the headers of an event and the IP address of its sender, before its body is read. Pure.

import { BlockList, isIP } from 'node:net'
import type { EventAuth, EventAuthOf } from './event-auth-settings.ts'
import { type AuthRefusal, type AuthVerdict, type InboundRequest, refuse } from './inbound-request.ts'
import { checkBasic, checkBearer } from './secret-in-request.ts'
import { checkHmac, checkStandardWebhook } from './shared-key-signature.ts'

/** `proven`: the sender is authenticated. `open`: the body is needed to decide. */
export type HeaderCheck = { kind: 'proven' } | { kind: 'open' } | { kind: 'refused'; why: AuthRefusal }

/** Refuses an event as early as its headers allow. The body must still be checked unless the result is `proven`. */
export function checkHeaders(settings: EventAuth, sender: Omit<InboundRequest, 'body'>, now: Date): HeaderCheck {
  const delivery = { ...sender, body: Buffer.alloc(0) }
  switch (settings.type) {
    case 'bearer':
      return finalVerdict(checkBearer(settings, delivery))
    case 'basic':
      return finalVerdict(checkBasic(settings, delivery))
    case 'none':
      return finalVerdict(checkAddress(settings, delivery))
    case 'standard-webhooks':
      return pendingSignature(checkStandardWebhook(settings, delivery, now))
    case 'hmac':
      return pendingSignature(checkHmac(settings, delivery, now))
    case 'body':
    case 'jwt':
      return { kind: 'open' }
  }
}

const finalVerdict = (verdict: AuthVerdict): HeaderCheck =>
  verdict.ok ? { kind: 'proven' } : { kind: 'refused', why: verdict.why }

/** A signature covers the body, so it cannot be verified yet. Missing or outdated headers can already be refused. */
function pendingSignature(verdict: AuthVerdict): HeaderCheck {
  return verdict.ok || verdict.why === 'signature-wrong' ? { kind: 'open' } : { kind: 'refused', why: verdict.why }
}

/** Checks the sender's IP address, for events without any other authentication. */
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
