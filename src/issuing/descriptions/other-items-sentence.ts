// Explains why a failed row is not sent again: the report shows another request for its person.

import { countOf } from '#src/issuing/results/counted-noun.ts'

/** Returns the second part of a sentence. Pure. @param items the number of report items in addition to the row's own */
export function otherItemsSentence(id: number, items: number): string {
  return `the report shows ${countOf(items, 'other item')} for this person, and sending i${id} again could issue a second credential. \`credsync explain i${id}\` has the evidence. \`credsync adopt\` assigns the existing credential to the row; if that credential has been revoked, \`adopt\` records it, and the row can be sent again.`
}
