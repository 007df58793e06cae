// Describes what keeps an erasure open, with ids only. Pure.

import type { Waiting, WaitingCompletions, WaitingIssuances } from '#src/extensions/privacy/ledger/erasure-store.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'

const reasons: Readonly<Record<WaitingIssuances['waitsFor'], string>> = {
  'a decision': 'held (`credsync held` shows what to decide)',
  'its withdrawal': 'being withdrawn',
  'its call': 'on the way to the service, whose report decides',
  'its revocation': 'to be revoked first',
  'a learning system': 'until a learning system is told, seven days at most',
}

/** @returns null if nothing is waited for */
export function describeWaiting(waiting: readonly Waiting[]): string | null {
  if (waiting.length === 0) return null
  return `${waiting.map((each) => ('runs' in each ? ofCompletions(each) : ofIssuances(each))).join('; ')}.`
}

function ofIssuances({ waitsFor, count, ids }: WaitingIssuances): string {
  const named = ids.map((id) => `i${id}`).join(', ')
  return `${named}${count > ids.length ? ` and ${count - ids.length} more` : ''}: ${reasons[waitsFor]}`
}

function ofCompletions({ count, runs }: WaitingCompletions): string {
  const lists = runs.map((run) => run.slice(0, 8))
  return `${countOf(count, 'completion')} in lists that are not read yet (\`credsync status --run ${lists[0]}\` says why): ${lists.join(', ')}`
}
