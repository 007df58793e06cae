// The schema for an IP address or a network in the settings, such as 192.0.2.7 or 192.0.2.0/24. Pure.

import { isIP } from 'node:net'
import { z } from 'zod'

/** Rejects a network of size /0, which would not restrict anything. */
function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  if (!/^[1-9]\d{0,2}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false
  return true
}

export const addressRange = z
  .string()
  .refine(isAddressRange, 'is neither an address, such as 192.0.2.7, nor a network, such as 192.0.2.0/24')
