// Seals what is kept outside of this process: only who has the same secret, for the same key and service, can read it or find it.

import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { parseBaseUrl } from './base-url.ts'
import type { Secret } from './secret.ts'

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

export interface Account {
  /** Address of the service; see parseBaseUrl. */
  baseUrl: string
  key: Secret
  secret: Secret
}

export interface TokenSeal {
  /** A name for this account that says nothing about it: 64 hexadecimal digits. */
  name: string
  /** `label` says what the text is, and is needed again to open it. */
  seal(label: string, text: string): string
  /** Null for whatever was not sealed here: by another secret, for another key, service or label, or changed since. */
  open(label: string, sealed: string): string | null
}

/**
 * AES-256-GCM and HMAC-SHA-256 under keys derived (HKDF) from the account's secret, which is never used twice for one purpose.
 * Throws BaseUrlError.
 */
export function openTokenSeal({ baseUrl, key, secret }: Account): TokenSeal {
  const { origin, prefix } = parseBaseUrl(baseUrl)
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret.reveal(), '', `credsync ${purpose} 1`, 32)))
  const sealing = derive('token seal')
  // Service and key are bound by this digest of them, so that neither has to be kept in clear.
  const name = createHmac('sha256', derive('token name'))
    .update(JSON.stringify([origin + prefix, key.reveal()]))
    .digest('hex')
  const bound = (label: string) => Buffer.from(JSON.stringify([name, label]))

  return {
    name,
    seal(label, text) {
      const iv = randomBytes(ivBytes)
      const sealer = createCipheriv(cipher, sealing, iv, { authTagLength: tagBytes }).setAAD(bound(label))
      const body = Buffer.concat([sealer.update(text, 'utf8'), sealer.final()])
      return Buffer.concat([iv, sealer.getAuthTag(), body]).toString('base64url')
    },
    open(label, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < ivBytes + tagBytes) return null
      const opener = createDecipheriv(cipher, sealing, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
      opener.setAAD(bound(label)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      try {
        return Buffer.concat([opener.update(bytes.subarray(ivBytes + tagBytes)), opener.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
