// What a shared allowance is called in Redis: whoever reads the keys there learns neither whose it is nor of which service.

import { createHmac } from 'node:crypto'

/** The shape of a secret that is needed here. */
interface Revealed {
  reveal(): string
}

export interface Account {
  /** Of the service. */
  baseUrl: string
  key: Revealed
  /** Never stored: it keys the hash. */
  secret: Revealed
}

/**
 * Names of the log and the state of a gate: the same in every process that holds the same key and secret. An endpoint's allowance
 * is the key's, `auth` that of the source address, which processes around one Redis are taken to share.
 */
export function slotNames({ baseUrl, key, secret }: Account): (gate: string) => [log: string, state: string] {
  return (gate) => {
    const origin = new URL(baseUrl).origin
    const whose = gate === 'auth' ? [origin, 'auth'] : [origin, key.reveal(), 'endpoint', gate]
    const hash = createHmac('sha256', secret.reveal())
      .update(JSON.stringify(['credsync slots', ...whose]))
      .digest('base64url')
      .slice(0, 32)
    return [`credsync-slots-{${hash}}-log`, `credsync-slots-{${hash}}-state`]
  }
}
