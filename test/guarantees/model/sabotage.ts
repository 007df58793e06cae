// Sabotaged versions of the decision. Each must break a promise that check-promises.ts checks.

import { decide, type KnownToLedger, type Observation } from '#src/issuing/reconcile/decide-row.ts'
import { matchItems } from '#src/issuing/reconcile/match-items.ts'
import type { Policy } from '#src/issuing/reconcile/policy.ts'
import { type DecisionFunctions, realFunctions } from './course-driver.ts'

export interface Sabotage {
  name: string
  /** The promise that it breaks; it may break others first. */
  breaks: RegExp
  functions: DecisionFunctions
}

const acceptedTwice = /accepted twice/

export const sabotages: Sabotage[] = [
  {
    name: 'overlooks the rest of the batch',
    breaks: acceptedTwice,
    functions: withKnown((known) => withCall(known, { batchShown: false })),
  },
  { name: 'needs no control', breaks: acceptedTwice, functions: withoutControl() },
  { name: 'requires only one look', breaks: acceptedTwice, functions: withPolicy({ looks: 1 }) },
  {
    name: 'does not wait for the grace period',
    breaks: acceptedTwice,
    functions: withPolicy({ graceMs: { unknown: 0, refused: 0 } }),
  },
  {
    name: 'does not count re-sends',
    breaks: /more often than allowed/,
    functions: withKnown((known) => ({ ...known, resends: 0 })),
  },
  {
    name: 'follows items from before the first call',
    breaks: /from before the first call/,
    functions: withoutBaseline(),
  },
  { name: 'treats a refusal as not applied', breaks: acceptedTwice, functions: withAnswerAsNotSent('refused') },
  { name: 'treats a missing answer as not applied', breaks: acceptedTwice, functions: withAnswerAsNotSent('unknown') },
  { name: 'treats in_progress as issued', breaks: /but is not issued/, functions: withFinding(inProgressIsIssued) },
  { name: 'holds a row too early', breaks: /without a cause/, functions: withPolicy({ looksWithoutControl: 2 }) },
  { name: 'never holds a row', breaks: /forever/, functions: withPolicy({ looksWithoutBatch: 1_000 }) },
]

function withKnown(change: (known: KnownToLedger) => KnownToLedger): DecisionFunctions {
  return { ...realFunctions, decide: (known, finding, now, numbers) => decide(change(known), finding, now, numbers) }
}

function withFinding(change: (finding: Observation) => Observation): DecisionFunctions {
  return { ...realFunctions, decide: (known, finding, now, numbers) => decide(known, change(finding), now, numbers) }
}

function withPolicy(change: Partial<Policy>): DecisionFunctions {
  return {
    ...realFunctions,
    decide: (known, finding, now, numbers) => decide(known, finding, now, { ...numbers, ...change }),
  }
}

function withoutControl(): DecisionFunctions {
  const always: typeof decide = (known, finding, now, numbers) => {
    const changed = finding.kind === 'not shown' ? { ...finding, controlShown: true } : finding
    return decide({ ...known, controlledLooks: known.looks }, changed, now, numbers)
  }
  return { ...realFunctions, decide: always }
}

function withCall(known: KnownToLedger, change: Partial<NonNullable<KnownToLedger['call']>>): KnownToLedger {
  return { ...known, call: known.call && { ...known.call, ...change } }
}

function withAnswerAsNotSent(from: 'refused' | 'unknown'): DecisionFunctions {
  return withFinding((finding) =>
    finding.kind === 'answer' && finding.answer.class === from
      ? { ...finding, answer: { ...finding.answer, class: 'not_sent', retryAfterMs: 0 } }
      : finding,
  )
}

function inProgressIsIssued(finding: Observation): Observation {
  if (finding.kind !== 'shown' || finding.item.label !== 'in_progress') return finding
  return { ...finding, item: { ...finding.item, reading: { kind: 'state', state: 'issued' } } }
}

/** The matcher without its memory of items seen before the first call. */
function withoutBaseline(): DecisionFunctions {
  const match: typeof matchItems = (items, known) =>
    matchItems(items, {
      ...known,
      candidates: known.candidates.map((candidate) => ({ ...candidate, firstSentAt: new Date(0) })),
    })
  return { ...realFunctions, match }
}
