// Refuses decisions that would send something while sending is stopped. Reads the ledger.

import { SendingStoppedError } from '#src/ledger/attempts/sending-stopped-message.ts'
import type { Ledger } from '#src/ledger/ledger.ts'

/** @throws SendingStoppedError if sending is stopped until a person has checked the ledger */
export async function refuseWhileStopped({ ledger }: { ledger: Pick<Ledger, 'sendingStops'> }): Promise<void> {
  const [stop] = await ledger.sendingStops.stops()
  if (stop) throw new SendingStoppedError(stop)
}
