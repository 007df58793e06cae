// A limit that no paper names: on the bytes of a body or on the recipients of an invitation.

import type { Mischief } from './mischief.ts'

export function isTooLarge({ tooLarge }: Mischief, bytes: number, recipients: number): boolean {
  const { bytes: mostBytes, recipients: mostRecipients } = tooLarge ?? {}
  return bytes > (mostBytes ?? Number.POSITIVE_INFINITY) || recipients > (mostRecipients ?? Number.POSITIVE_INFINITY)
}
