// Explains why a row is refused that may be about somebody who was forgotten, and what to do. Pure.

import type { ForgottenRecord } from './recognize-forgotten.ts'

/** @param row the row as commands name it: RUN:ROW */
export function whyUnclear(
  { issuance, kind, day }: Pick<ForgottenRecord, 'issuance' | 'kind'> & { day: string },
  row: string,
): string {
  const since = issuance === null ? `on ${day}` : `on ${day} (i${issuance})`
  const isRetention = kind === 'retention'
  const sameValue = 'with the same address, number or identity'
  const release =
    issuance === null ? 'forget --release with the address or number of the row' : `forget i${issuance} --release`
  return [
    isRetention ? `The data of somebody ${sameValue} expired ${since}` : `Somebody ${sameValue} was forgotten ${since}`,
    ', and the row may be about somebody else. No credential was issued.',
    ' If it is another person, give them an address, number or identity of their own.',
    isRetention
      ? ' If it is the same person, remove the row, or write it as before.'
      : ` If it is the forgotten person, run credsync forget ${row}: later lists that write it like this are skipped.`,
    ` If ${isRetention ? 'that' : 'the forgotten'} person is to be issued again, run credsync ${release}, and then send the row again.`,
  ].join('')
}
