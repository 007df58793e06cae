// Whether a delivery comes from the system that it is said to come from.

import type { EventAuth } from '#config/event-auth-settings.ts'
import { checkAddress } from './allowed-address.ts'
import type { Delivery, Verdict } from './delivery.ts'
import { createKeySets, type FetchKeys } from './key-sets.ts'
import { checkHmac, checkStandardWebhook } from './keyed-hash.ts'
import { checkBasic, checkBearer, checkBodySecret } from './shown-secret.ts'
import { checkSignedBody } from './signed-body.ts'

/**
 * Judges one delivery by the settings of its source. `now` is the time of this machine. Where a scheme signs a timestamp, what is
 * older or newer than 5 minutes is refused; a repeat within them passes, and is dropped by its delivery key (delivery-key.ts).
 */
export type Authenticate = (settings: EventAuth, delivery: Delivery, now: Date) => Promise<Verdict>

/** One for each process: it remembers the public keys of those who sign with a private one. */
export function createAuthenticator(fetchKeys: FetchKeys): Authenticate {
  const keySets = createKeySets(fetchKeys)
  return async (settings, delivery, now) => {
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
}
