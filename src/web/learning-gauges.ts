// What learning systems sent and were told, as gauges of the ledger.

import type { LearningFigures } from '#src/ledger/figures-of-learning.ts'
import type { MakeGauge } from './ledger-gauges.ts'

export function learningGauges(gauge: MakeGauge): (figures: LearningFigures) => void {
  const deliveries = gauge(
    'deliveries',
    'Deliveries of learning systems that are to be judged, or were not understood.',
    ['system', 'state'],
  )
  const waiting = gauge('completions_waiting', 'Completions that no run has yet.', ['pipeline'])
  const asked = gauge('system_asked_age_seconds', 'How long ago a learning system was asked to the end.', ['system'])
  const tells = gauge('tells', 'Outcomes that a target is to be told, could not be told, or does not show any more.', [
    'target',
    'state',
  ])
  const oldest = gauge('oldest_tell_age_seconds', 'How long the oldest outcome has waited to be told; 0 for none.', [
    'target',
  ])
  return (figures) => {
    for (const { system, state, deliveries: count } of figures.deliveries) deliveries.set({ system, state }, count)
    for (const { pipeline, completions } of figures.completions) waiting.set({ pipeline }, completions)
    for (const { system, askedAgoS } of figures.systems) if (askedAgoS !== null) asked.set({ system }, askedAgoS)
    for (const { target, state, tells: count } of figures.tells) tells.set({ target, state }, count)
    for (const { target, oldestS } of figures.untold) oldest.set({ target }, oldestS)
  }
}
