// Fault: an undocumented limit on the bytes of a body or on the recipients of an invitation. Pure.

import type { Faults } from './faults.ts'

export function isTooLarge({ tooLarge }: Faults, bytes: number, recipients: number): boolean {
  const { bytes: maxBytes, recipients: maxRecipients } = tooLarge ?? {}
  return bytes > (maxBytes ?? Number.POSITIVE_INFINITY) || recipients > (maxRecipients ?? Number.POSITIVE_INFINITY)
}
