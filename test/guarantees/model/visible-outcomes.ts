// Restricts a call's fate to what is possible for its answer, and converts the answer to the outcome that the worker
// sees.

import type { AnsweredCall } from '#src/issuing/reconcile/decide-after-sending.ts'
import type { AnswerKind, Fate, ServiceModel } from './service-model.ts'

/**
 * Restricts a fate to what is possible. A service that refuses a call because of one row may still apply the other
 * rows; a call that is refused as a whole, or never reaches the service, applies none.
 */
export function possibleFate(fate: Fate, size: number, truth: ServiceModel): Fate {
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

export function answerOf(says: AnswerKind): AnsweredCall {
  const base = { status: null, words: 'words', retryAfterMs: null }
  if (says === 'accepted') return { ...base, class: 'accepted', status: 200 }
  if (says === 'nothing') return { ...base, class: 'unknown' }
  if (says === 'too large') return { ...base, class: 'too_large', status: 413 }
  if (says === 'throttled') return { ...base, class: 'throttled', status: 429 }
  if (says === 'not sent') return { ...base, class: 'not_sent' }
  if (says === 'keys refused') return { ...base, class: 'unauthorised', status: 401 }
  if (says === 'refused the call') return { ...base, class: 'refused', status: 403 }
  const courseTrouble = says === 'course trouble' ? 'the course is disabled' : null
  return { ...base, class: 'refused', status: 400, courseTrouble }
}
