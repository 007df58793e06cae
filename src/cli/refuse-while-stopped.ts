// Refuses commands that would send something while sending is stopped. Reads the ledger.

import type { App } from '#src/app/app.ts'
import { SendingStoppedError } from '#src/ledger/attempts/sending-stopped-message.ts'

/** @throws SendingStoppedError if sending is stopped until a person has checked the ledger */
export async function refuseWhileStopped({ ledger }: Pick<App, 'ledger'>): Promise<void> {
  const [stop] = await ledger.sendingStops.stops()
  if (stop) throw new SendingStoppedError(stop)
}
