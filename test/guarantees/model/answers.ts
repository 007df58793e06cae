// What the service says of a call, in the worker's words, and which fates fit what it says.

import type { AnsweredCall } from '#src/reconcile/after-sending.ts'
import type { Fate, Says, ServiceModel } from './service-model.ts'

/** A refusal that judges the request takes nothing of a single row, and keys, size and an unreachable service take nothing at all. */
export function fitting(fate: Fate, size: number, truth: ServiceModel): Fate {
  const { world } = truth
  const { says } = fate
  const untouched = ['refused the call', 'course trouble', 'too large', 'keys refused', 'not sent']
  if (untouched.includes(says) || (says === 'throttled' && !world.throttlesAfterTaking))
    return { ...fate, takes: 'lost' }
  if (says === 'refused') return { ...fate, takes: size > 1 && fate.takes !== 'lost' ? 'part' : 'lost' }
  if (says === 'accepted' || says === 'throttled')
    return { ...fate, takes: fate.takes === 'trickled' ? 'trickled' : 'all' }
  return fate
}

export function answerOf(says: Says): AnsweredCall {
  const plain = { status: null, words: 'words', authRefused: false, retryAfterMs: null }
  if (says === 'accepted') return { ...plain, class: 'accepted', status: 200 }
  if (says === 'nothing') return { ...plain, class: 'unknown' }
  if (says === 'too large') return { ...plain, class: 'too_large', status: 413 }
  if (says === 'throttled') return { ...plain, class: 'throttled', status: 429 }
  if (says === 'not sent') return { ...plain, class: 'not_sent' }
  if (says === 'keys refused') return { ...plain, class: 'refused', status: 401, authRefused: true }
  if (says === 'refused the call') return { ...plain, class: 'refused', status: 403 }
  const courseTrouble = says === 'course trouble' ? 'the course is disabled' : null
  return { ...plain, class: 'refused', status: 400, courseTrouble }
}
