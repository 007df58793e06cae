// Explains why rows were left unchanged, and why a failed row is not sent again. Reads the ledger.

import { countOf } from '#src/issuing/results/run-summary.ts'
import type { IssuanceState } from '#src/ledger/explain.ts'
import { whenForgotten } from '#src/ledger/forgotten-people.ts'
import type { Ledger } from '#src/ledger/ledger.ts'

/**
 * Returns a sentence for each of `ids` that was not decided.
 * @param rows.wanted the state in which a row must be
 */
export async function whyUnchanged(
  ledger: Pick<Ledger, 'issuances' | 'environment'>,
  { ids, decided, wanted }: { ids: readonly number[]; decided: readonly number[]; wanted: 'held' | 'failed' },
): Promise<string[]> {
  const left = [...new Set(ids)].filter((id) => !decided.includes(id))
  const found = await ledger.issuances.states(left)
  return left.map((id) => {
    const now = found.get(id)
    if (!now) return `i${id}: nothing was changed, because the ledger has no i${id} for ${ledger.environment}.`
    return `i${id}: nothing was changed, because ${whyLeft(id, now, wanted)}`
  })
}

/** Whether a failed row may be sent again, as `retry` does. Pure. */
export const canBeSentAgain = (now: IssuanceState): boolean =>
  now.state === 'failed' && !now.hasCredential && !now.isPartial && now.surplusItems === 0 && now.forgotten === null

/** Returns the second part of a sentence, and sometimes another sentence. Pure. */
export function whyLeft(id: number, now: IssuanceState, wanted: 'held' | 'failed'): string {
  if (now.forgotten !== null) return `${whenForgotten(now.forgotten)}. It is ${now.state}.`
  if (now.isPartial && now.state === 'failed')
    return `it was adopted from the report, which shows only part of its data. \`credsync correct i${id} --set "FIELD=VALUE"\` sends it with complete data.`
  if (now.state === 'failed' && now.surplusItems > 0) return otherItemsSentence(id, now.surplusItems)
  if (now.state === wanted && (wanted === 'held' || !now.hasCredential))
    return `it has changed in the meantime, and is ${wanted} again.`
  const is = now.hasCredential ? `${now.state}, with a credential in the report` : now.state
  const ask =
    now.state === 'rejected' && wanted === 'failed'
      ? ' The certification body rejected it, and credsync does not ask again: find out why, and issue it in the portal if they approve it.'
      : ''
  const needed = wanted === 'held' ? 'held' : 'failed, without a credential in the report'
  return `it is not ${needed}, but ${is}.${ask}`
}

/**
 * Explains why a failed row is not sent again: the report shows another request for its person. Returns the second part
 * of a sentence. Pure.
 * @param items the number of report items in addition to the row's own
 */
export function otherItemsSentence(id: number, items: number): string {
  return `the report shows ${countOf(items, 'other item')} for this person, and sending i${id} again could issue a second credential. \`credsync explain i${id}\` has the evidence. \`credsync adopt\` assigns the existing credential to the row; if that credential has been revoked, \`adopt\` records it, and the row can be sent again.`
}
