// The cookie of a session. Over https its name begins with `__Host-`, so that browsers accept it only from this very
// host, and over TLS. Pure.

import { createHash, randomBytes } from 'node:crypto'
import type { ConsoleSettings } from '#src/extensions/console/settings/console-settings.ts'
import type { OwnAddress } from './own-address.ts'

export interface SessionCookie {
  /** The token that the browser shows; null if there is none. */
  read(header: string | undefined): string | null
  set(token: string): string
  clear(): string
}

/** @param name distinguishes consoles on one host, whose cookies browsers do not keep apart by port */
export function sessionCookie({ isSecure }: Pick<OwnAddress, 'isSecure'>, name: string): SessionCookie {
  const cookie = `${isSecure ? '__Host-' : ''}credsync-${name}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read(header = '') {
      const values = header
        .split(/; */)
        .flatMap((pair) => (pair.startsWith(`${cookie}=`) ? [pair.slice(cookie.length + 1)] : []))
      const [value] = values
      // Two of the same name: one of them was set by somebody else, on a parent domain or another path.
      return values.length === 1 && value !== undefined && /^[\w-]{43}$/.test(value) ? value : null
    },
    set: (token) => `${cookie}=${token}; ${attributes}`,
    clear: () => `${cookie}=; Max-Age=0; ${attributes}`,
  }
}

/**
 * The hash by which the ledger knows a session. It depends on who may do what by the identity provider, which is looked at
 * when somebody signs in: with other grants no session is known any more, and everybody signs in again.
 */
export function sessionHash({ auth }: Pick<ConsoleSettings, 'auth'>, token: string): Buffer {
  return hashOfToken(auth.oidc ? `${token} ${JSON.stringify(auth.oidc.grants)}` : token)
}

// Random tokens for sessions and links. The ledger stores only their hashes.

interface OneTimeToken {
  text: string
  hash: Buffer
}

export function makeToken(): OneTimeToken {
  const text = randomBytes(32).toString('base64url')
  return { text, hash: hashOfToken(text) }
}

export const hashOfToken = (text: string): Buffer => createHash('sha256').update(text).digest()
