// Determines the outcome of a credential request when it arrives, from the seed and the request's number. Deterministic
// and pure.

import { hash } from 'node:crypto'
import type { SandboxSettings } from './settings.ts'
import { uuidFrom } from './uuid.ts'

export interface RequestOutcome {
  entityUuid: string
  /** Groups of digits with hyphens; shown only once the credential is issued. */
  credentialId: string
  /** 3 completed, 4 rejected or 7 failed. */
  final: 3 | 4 | 7
  /** The last name that the report shows instead of the recipient's; null to show the recipient's. */
  strangeName: string | null
}

/**
 * Returns the outcome. An e-mail address that begins with reject., fail. or hold. forces that outcome.
 * @param number counts requests in order of arrival
 */
export function outcomeOf(
  settings: Pick<SandboxSettings, 'seed' | 'rejectShare' | 'failShare'>,
  number: number,
  email: string,
): RequestOutcome {
  const bytes = hash('sha256', `${settings.seed} request ${number}`, 'buffer')
  const address = email.trim().toLowerCase()
  const digits = String(bytes.readBigUInt64BE(16) % 10n ** 16n).padStart(16, '0')
  return {
    entityUuid: uuidFrom(bytes),
    credentialId: (digits.match(/\d{4}/g) ?? []).join('-'),
    final: finalOf(settings, bytes.readUInt32BE(24) / 2 ** 32, address),
    // If the report shows a different name, credsync holds the row for a decision.
    strangeName: address.startsWith('hold.') ? 'Somebody-Else' : null,
  }
}

function finalOf(shares: Pick<SandboxSettings, 'rejectShare' | 'failShare'>, draw: number, email: string): 3 | 4 | 7 {
  if (email.startsWith('reject.')) return 4
  if (email.startsWith('fail.')) return 7
  if (draw < shares.rejectShare) return 4
  return draw < shares.rejectShare + shares.failShare ? 7 : 3
}
