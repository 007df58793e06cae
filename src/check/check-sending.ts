// Checks whether anything may be sent: reports a recorded sending stop, or one that the high-water mark would cause.
// Reads the ledger and the mark, and stops nothing itself.

import { openLedgerMark } from '#src/app/open-core.ts'
import { howToResume } from '#src/ledger/attempts/sending-stopped-message.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { type Check, faulty } from './check-result.ts'
import type { Parts } from './open-parts.ts'

/** @throws MarkUnreadableError if no keeper of the mark is reachable */
export async function checkSending({ ledger, redis, settings }: Parts): Promise<Check[]> {
  if (!ledger) return []
  const [stop] = await ledger.sendingStops.stops()
  const mark = openLedgerMark(settings, ledger, redis, silentLog)
  const reason = stop ? stop.reason : await ledger.sendingStops.doubt(await mark.read())
  if (reason === null) return []
  return [faulty('sending', `nothing ${stop ? 'is' : 'will be'} sent: ${reason}`, howToResume)]
}
