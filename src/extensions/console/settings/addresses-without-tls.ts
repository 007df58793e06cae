// Finds the addresses of the console that are used without TLS. Pure.

import { z } from 'zod'
import { type PlainAddress, plainHttpAddresses } from '#config/addresses-without-tls.ts'

/** @param file as read or as parsed */
export function plainConsoleAddresses(file: unknown): PlainAddress[] {
  const { console: page } = addressesSchema.parse(file)
  return [
    // Passwords and the names of people come to this address.
    ...plainHttpAddresses('console.url', page.url),
    ...plainHttpAddresses('console.auth.oidc.issuer', page.auth.oidc.issuer),
  ]
}

// Extracts the addresses of a file, even if other parts of the file are invalid.
const stringOrEmpty = z.string().catch('')
const noConsole = { url: '', auth: { oidc: { issuer: '' } } }
const addressesSchema = z
  .object({
    console: z
      .object({
        url: stringOrEmpty,
        auth: z.object({ oidc: z.object({ issuer: stringOrEmpty }).catch({ issuer: '' }) }).catch(noConsole.auth),
      })
      .catch(noConsole),
  })
  .catch({ console: noConsole })

/** The console may differ between processes: only one of them serves it. Pure. */
export const withoutConsole = <File extends object>(file: File): File => ({ ...file, console: undefined })
