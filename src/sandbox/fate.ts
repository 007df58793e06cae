// What will become of a credential request: decided when it arrives, from the seed and its number, never by chance.

import { hash } from 'node:crypto'
import type { SandboxSettings } from './settings.ts'
import { uuidFrom } from './uuid.ts'

export interface Fate {
  entityUuid: string
  /** Digit groups with hyphens; shown only once the credential is issued. */
  credentialId: string
  /** 3 completed, 4 rejected or 7 failed. */
  final: 3 | 4 | 7
  /** The last name that the report shows in place of the person's own; null shows their own. */
  strangeName: string | null
}

/** `number` counts requests in order of arrival; an e-mail beginning with reject., fail. or hold. decides by itself. */
export function fateOf(
  settings: Pick<SandboxSettings, 'seed' | 'rejectShare' | 'failShare'>,
  number: number,
  email: string,
): Fate {
  const bytes = hash('sha256', `${settings.seed} request ${number}`, 'buffer')
  const address = email.trim().toLowerCase()
  const digits = String(bytes.readBigUInt64BE(16) % 10n ** 16n).padStart(16, '0')
  return {
    entityUuid: uuidFrom(bytes),
    credentialId: (digits.match(/\d{4}/g) ?? []).join('-'),
    final: finalOf(settings, bytes.readUInt32BE(24) / 2 ** 32, address),
    // A report that shows somebody else is what makes a row wait for a person.
    strangeName: address.startsWith('hold.') ? 'Somebody-Else' : null,
  }
}

function finalOf(shares: Pick<SandboxSettings, 'rejectShare' | 'failShare'>, draw: number, email: string): 3 | 4 | 7 {
  if (email.startsWith('reject.')) return 4
  if (email.startsWith('fail.')) return 7
  if (draw < shares.rejectShare) return 4
  return draw < shares.rejectShare + shares.failShare ? 7 : 3
}
