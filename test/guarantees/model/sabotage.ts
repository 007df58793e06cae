// Deciders with a fault each, made from the real one. Every one of them must break a promise that the judge sees.

import { decide, type Known, type News } from '#src/reconcile/decide.ts'
import { matchItems } from '#src/reconcile/match.ts'
import type { Policy } from '#src/reconcile/policy.ts'
import { type Judgement, ours } from './driver.ts'

export interface Sabotage {
  name: string
  /** The promise that it breaks; it may break others on the way. */
  breaks: RegExp
  judgement: Judgement
}

const twice = /taken twice/

export const sabotages: Sabotage[] = [
  {
    name: 'overlooks the rest of the batch',
    breaks: twice,
    judgement: row((known) => withCall(known, { batchShown: false })),
  },
  { name: 'needs no control', breaks: twice, judgement: withoutControl() },
  { name: 'is content with one look', breaks: twice, judgement: policy({ looks: 1 }) },
  { name: 'waits for no grace', breaks: twice, judgement: policy({ graceMs: { unknown: 0, refused: 0 } }) },
  {
    name: 'forgets re-sends',
    breaks: /more often than allowed/,
    judgement: row((known) => ({ ...known, resends: 0 })),
  },
  { name: 'follows what was there before', breaks: /an item from before/, judgement: withoutBaseline() },
  { name: 'takes a refusal for not applied', breaks: twice, judgement: answered('refused') },
  { name: 'takes silence for not applied', breaks: twice, judgement: answered('unknown') },
  { name: 'takes progress for an end', breaks: /issued, and is not/, judgement: news(inProgressIsIssued) },
  { name: 'asks a person too soon', breaks: /without a cause/, judgement: policy({ looksWithoutControl: 2 }) },
  { name: 'never asks a person', breaks: /for ever/, judgement: policy({ looksWithoutBatch: 1_000 }) },
]

function row(change: (known: Known) => Known): Judgement {
  return { ...ours, decide: (known, heard, now, numbers) => decide(change(known), heard, now, numbers) }
}

function news(change: (heard: News) => News): Judgement {
  return { ...ours, decide: (known, heard, now, numbers) => decide(known, change(heard), now, numbers) }
}

function policy(change: Partial<Policy>): Judgement {
  return { ...ours, decide: (known, heard, now, numbers) => decide(known, heard, now, { ...numbers, ...change }) }
}

function withoutControl(): Judgement {
  const always: typeof decide = (known, heard, now, numbers) => {
    const news = heard.kind === 'not shown' ? { ...heard, controlShown: true } : heard
    return decide({ ...known, controlledLooks: known.looks }, news, now, numbers)
  }
  return { ...ours, decide: always }
}

function withCall(known: Known, change: Partial<NonNullable<Known['call']>>): Known {
  return { ...known, call: known.call && { ...known.call, ...change } }
}

function answered(from: 'refused' | 'unknown'): Judgement {
  return news((heard) =>
    heard.kind === 'answer' && heard.answer.class === from
      ? { ...heard, answer: { ...heard.answer, class: 'not_sent', retryAfterMs: 0 } }
      : heard,
  )
}

function inProgressIsIssued(heard: News): News {
  if (heard.kind !== 'shown' || heard.item.label !== 'in_progress') return heard
  return { ...heard, item: { ...heard.item, reading: { kind: 'state', state: 'issued' } } }
}

/** The matcher without the memory of what was seen before the first sending. */
function withoutBaseline(): Judgement {
  const match: typeof matchItems = (items, known) =>
    matchItems(items, { ...known, candidates: known.candidates.map((each) => ({ ...each, firstSentAt: new Date(0) })) })
  return { ...ours, match }
}
