// Names the Redis keys of a shared limit, so that the names reveal neither the account nor the service.

import { createHmac } from 'node:crypto'
import type { ServiceAccount } from '#src/platform/secret.ts'

/**
 * The names of a gate's log and state: the same in every process with the same key and secret. An endpoint's limit
 * applies to the key; that of `auth` applies to the source address, which processes that share a Redis are assumed to
 * share.
 */
export function slotNames({ baseUrl, key, secret }: ServiceAccount): (gate: string) => [log: string, state: string] {
  return (gate) => {
    const origin = new URL(baseUrl).origin
    const scope = gate === 'auth' ? [origin, 'auth'] : [origin, key.reveal(), 'endpoint', gate]
    const hash = createHmac('sha256', secret.reveal())
      .update(JSON.stringify(['credsync slots', ...scope]))
      .digest('base64url')
      .slice(0, 32)
    return [`credsync-slots-{${hash}}-log`, `credsync-slots-{${hash}}-state`]
  }
}
