// Why a failed row is not sent again: somebody else has asked for its person.

import { countOf } from '#src/write-back/count-of.ts'

/** A part of a sentence, to its end. Pure. @param items of the report beside the row's own */
export function shownBeside(id: number, items: number): string {
  return `the report shows ${countOf(items, 'other item')} for this person, and sending i${id} again could issue a second credential. \`credsync explain i${id}\` has the evidence. \`credsync adopt\` gives the row the credential that there is; if that was revoked since, it sees so, and the row can be sent again.`
}
