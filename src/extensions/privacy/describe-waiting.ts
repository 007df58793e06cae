// Describes what keeps an erasure open, with ids only. Pure.

import type { Waiting, WaitingCompletions, WaitingIssuances } from '#src/extensions/privacy/ledger/erasures.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'

const reasons: Readonly<Record<WaitingIssuances['waitsFor'], (one: boolean) => string>> = {
  'a decision': (one) => `${one ? 'is' : 'are'} held: \`credsync held\` shows what to decide`,
  'its withdrawal': (one) => `${one ? 'is' : 'are'} being withdrawn`,
  'its call': (one) => `${one ? 'is' : 'are'} on the way to the service, whose report decides`,
  'its revocation': (one) => `${one ? 'waits for its' : 'wait for their'} revocation`,
  'a learning system': (one) => `${one ? 'waits' : 'wait'} for a learning system to be told, seven days at most`,
}

/** @returns null if nothing is waited for */
export function describeWaiting(waiting: readonly Waiting[]): string | null {
  if (waiting.length === 0) return null
  return `${waiting.map((each) => ('runs' in each ? ofCompletions(each) : ofIssuances(each))).join('; ')}.`
}

function ofIssuances({ waitsFor, count, ids }: WaitingIssuances): string {
  const named = ids.map((id) => `i${id}`).join(', ')
  return `${named}${count > ids.length ? ` and ${count - ids.length} more` : ''} ${reasons[waitsFor](count === 1)}`
}

function ofCompletions({ count, runs: [run = '', ...others] }: WaitingCompletions): string {
  const list = run.slice(0, 8)
  const where = others.length === 0 ? `run ${list}, which is` : `run ${list} and others, which are`
  return `${countOf(count, 'completion')} ${count === 1 ? 'is' : 'are'} in ${where} not read yet: \`credsync status --run ${list}\` says what it waits for`
}
