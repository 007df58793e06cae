// Authenticates inbound events: checks that an event was sent by the system that it claims to come from. May fetch the
// sender's public keys over the network.

import { checkAddress } from './check-headers.ts'
import type { EventAuth } from './event-auth-settings.ts'
import type { AuthVerdict, InboundRequest } from './inbound-request.ts'
import { checkSignedBody } from './jwt-body.ts'
import type { KeySets } from './key-sets.ts'
import { checkBasic, checkBearer, checkBodySecret } from './secret-in-request.ts'
import { checkHmac, checkStandardWebhook } from './shared-key-signature.ts'

/**
 * Checks one event against the settings of its system. `now` is the time of this machine. If a scheme signs a
 * timestamp, an event with a timestamp that is more than 5 minutes off is refused; a repeated event within that time is
 * accepted here, and is dropped later by its key (inbound-key.ts).
 * @param keySets the public keys of senders that sign with a private key
 */
export async function authenticate(
  settings: EventAuth,
  delivery: InboundRequest,
  now: Date,
  keySets: KeySets,
): Promise<AuthVerdict> {
  switch (settings.type) {
    case 'standard-webhooks':
      return checkStandardWebhook(settings, delivery, now)
    case 'hmac':
      return checkHmac(settings, delivery, now)
    case 'bearer':
      return checkBearer(settings, delivery)
    case 'basic':
      return checkBasic(settings, delivery)
    case 'body':
      return checkBodySecret(settings, delivery)
    case 'jwt':
      return checkSignedBody(settings, delivery, now, keySets)
    case 'none':
      return checkAddress(settings, delivery)
  }
}
