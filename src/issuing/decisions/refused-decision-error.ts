// The error for an operator's decision that cannot be carried out, and the refusal of decisions that would send
// something while sending is stopped. Reads the ledger.

import { SendingStoppedError } from '#src/ledger/attempts/sending-stopped-message.ts'
import type { Ledger } from '#src/ledger/ledger.ts'

/** Thrown when a decision cannot be carried out. The message explains why and what to do. Nothing was changed. */
export class RefusedDecisionError extends Error {
  override readonly name = 'RefusedDecisionError'
}

/**
 * Refuses a decision that would send something.
 * @throws SendingStoppedError if sending is stopped until a person has checked the ledger
 */
export async function refuseWhileStopped({ ledger }: { ledger: Pick<Ledger, 'sendingStops'> }): Promise<void> {
  const [stop] = await ledger.sendingStops.stops()
  if (stop) throw new SendingStoppedError(stop)
}
