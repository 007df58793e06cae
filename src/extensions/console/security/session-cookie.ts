// The cookies of the console, and the random tokens of its sessions and links.

import { createHash, randomBytes } from 'node:crypto'
import type { ConsoleSettings } from '#src/extensions/console/settings/console-settings.ts'
import type { OwnAddress } from './own-address.ts'

export interface ConsoleCookie {
  /** What the browser shows, in letters of base64url; null if there is none. */
  read(header: string | undefined): string | null
  set(value: string, maxAgeS?: number): string
  clear(): string
}

/**
 * Over https, the name of the cookie begins with `__Host-`, so that browsers accept it only from this very host, and
 * over TLS.
 * @param name distinguishes consoles on one host, whose cookies browsers do not keep apart by port
 */
export function consoleCookie({ isSecure }: Pick<OwnAddress, 'isSecure'>, name: string): ConsoleCookie {
  const cookie = `${isSecure ? '__Host-' : ''}credsync-${name}`
  const set = (value: string, maxAgeS?: number) =>
    `${cookie}=${value}; ${maxAgeS === undefined ? '' : `Max-Age=${maxAgeS}; `}Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read(header = '') {
      const own = header.split(/; */).filter((pair) => pair.startsWith(`${cookie}=`))
      // Of two with the same name, one was set by somebody else, on a parent domain or another path.
      return own.length === 1 ? (/=([\w-]+)$/.exec(own[0] ?? '')?.[1] ?? null) : null
    },
    set,
    clear: () => set('', 0),
  }
}

/**
 * The hash by which the ledger knows a session. It depends on the grants of the identity provider, which are applied
 * when somebody signs in: if they change, no session is known any more, and everybody signs in again.
 */
export function sessionHash({ auth }: Pick<ConsoleSettings, 'auth'>, token: string): Buffer {
  return hashOfToken(auth.oidc ? `${token} ${JSON.stringify(auth.oidc.grants)}` : token)
}

interface OneTimeToken {
  text: string
  hash: Buffer
}

/** A random token for a session or a link. The ledger stores only its hash. */
export function makeToken(): OneTimeToken {
  const text = randomBytes(32).toString('base64url')
  return { text, hash: hashOfToken(text) }
}

export const hashOfToken = (text: string): Buffer => createHash('sha256').update(text).digest()
