// Encrypts values that are stored outside this process: only processes with the same secret, for the same key and
// service, can find and read them.

import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import type { ServiceAccount } from '#src/platform/secret.ts'
import { parseBaseUrl } from '../http/base-url.ts'

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

export interface TokenSeal {
  /** A name for this account that reveals nothing about it: 64 hexadecimal digits. */
  name: string
  /** @param label says what the text is; `open` needs the same label */
  seal(label: string, text: string): string
  /**
   * Returns null for anything that this account did not seal under this label, and for anything that has been changed
   * since.
   */
  open(label: string, sealed: string): string | null
}

/**
 * AES-256-GCM and HMAC-SHA-256 under keys derived (HKDF) from the account's secret; each purpose has its own key.
 * @throws BaseUrlError
 */
export function openTokenSeal({ baseUrl, key, secret }: ServiceAccount): TokenSeal {
  const { origin, prefix } = parseBaseUrl(baseUrl)
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret.reveal(), '', `credsync ${purpose} 1`, 32)))
  const sealing = derive('token seal')
  // This digest binds the service and key without storing either in plain text.
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
