// Compares a high-water mark with the twin as the real ledger does. The twin is never rolled back.

import { reasonNotToSend, type Witness } from '#src/domain/credential/high-water-mark.ts'
import type { MarkComparison } from '#src/ledger/attempts/sending-stops.ts'
import { sendingClaimAt } from './attempts.ts'
import type { Tables } from './tables.ts'

/** @throws Error if the mark is of a call that the twin does not know, which would be a false alarm */
export function compareMarks(tables: Tables, witnesses: readonly Witness[]): MarkComparison {
  const number = tables.sendingClaims.length
  const attempt = tables.sendingClaims.at(-1)
  const knows = (claim: { number: number; token: string }) => {
    const known = tables.sendingClaims[claim.number - 1]
    return known !== undefined && sendingClaimAt(claim.number, known).token === claim.token
  }
  const doubt = reasonNotToSend(witnesses, { era: 0, knows })
  if (doubt !== null) throw new Error(`A mark and the ledger disagree: ${doubt}.`)
  const last = attempt ? sendingClaimAt(number, attempt) : { era: 0, number: 0, token: '', at: new Date(tables.now()) }
  return { last, stop: null, isNew: false, system: null }
}
