// Describes what keeps an erasure open, with ids only. Pure.

import type { Waiting } from '#src/ledger/erasure/open-erasures.ts'

const reasons: Readonly<Record<Waiting['waitsFor'], (one: boolean) => string>> = {
  'a decision': (one) => `${one ? 'is' : 'are'} held: \`credsync held\` shows what to decide`,
  'its withdrawal': (one) => `${one ? 'is' : 'are'} being withdrawn`,
  'its call': (one) => `${one ? 'is' : 'are'} on the way to the service, whose report decides`,
  'its revocation': (one) => `${one ? 'waits for its' : 'wait for their'} revocation`,
  'a learning system': (one) => `${one ? 'waits' : 'wait'} for a learning system to be told, seven days at most`,
}

/** @returns null if nothing is waited for */
export function describeWaiting(waiting: readonly Waiting[]): string | null {
  if (waiting.length === 0) return null
  const sentences = waiting.map(({ waitsFor, count, ids }) => {
    const named = ids.map((id) => `i${id}`).join(', ')
    return `${named}${count > ids.length ? ` and ${count - ids.length} more` : ''} ${reasons[waitsFor](count === 1)}`
  })
  return `${sentences.join('; ')}.`
}
