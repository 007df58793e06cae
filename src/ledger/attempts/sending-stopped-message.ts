// Builds the message and the error for operators while sending is stopped because a mark or an outcome contradicts the
// ledger. Pure.

import type { Stop } from './sending-stops.ts'

/** Returns two sentences, which describe the situation and what to do about it. */
export function sendingStoppedMessage({
  environment,
  since,
  reason,
}: Pick<Stop, 'environment' | 'since' | 'reason'>): string {
  return `Nothing has been sent for ${environment} since ${since.toISOString()}: ${reason}. ${howToResume}`
}

export const howToResume =
  'Bring what the report shows into the ledger (`credsync adopt` for each pipeline), then run `credsync trust-ledger --reason TEXT`'

/** The error for a command that would send something while sending is stopped. */
export class SendingStoppedError extends Error {
  override readonly name = 'SendingStoppedError'

  constructor(stop: Stop) {
    super(`${sendingStoppedMessage(stop)}. Nothing was changed.`)
  }
}
