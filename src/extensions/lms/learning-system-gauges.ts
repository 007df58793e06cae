// Exports the ledger's figures about learning systems as gauges: what they sent, and what is delivered to them. Names,
// labels and states are a published contract (docs/metrics.md and the alert rules): do not rename them.

import type { LearningMetrics } from '#src/extensions/lms/ledger/learning-metrics.ts'
import type { MakeGauge } from '#src/platform/make-gauge.ts'

export function learningSystemGauges(gauge: MakeGauge): (figures: LearningMetrics) => void {
  const inboundEvents = gauge(
    'inbound_events',
    'Events from learning systems that are waiting to be processed, or were not understood.',
    ['system', 'state'],
  )
  const waiting = gauge('completions_waiting', 'Completions that are not in a run yet.', ['pipeline'])
  const pollAge = gauge('system_asked_age_seconds', 'Seconds since the last complete poll of a learning system.', [
    'system',
  ])
  const outcomes = gauge(
    'deliveries',
    'Outcomes that are waiting for delivery to a target, could not be delivered, were delivered in part, or are no longer shown there.',
    ['target', 'state'],
  )
  const oldestOutcome = gauge(
    'oldest_delivery_age_seconds',
    'Seconds that the oldest pending outcome has been waiting for delivery; 0 if there is none.',
    ['target'],
  )
  return (figures) => {
    for (const { system, state, events } of figures.inboundEvents) inboundEvents.set({ system, state }, events)
    for (const { pipeline, completions } of figures.completions) waiting.set({ pipeline }, completions)
    for (const { system, polledAgoS } of figures.systems) if (polledAgoS !== null) pollAge.set({ system }, polledAgoS)
    for (const { target, state, deliveries } of figures.deliveries) outcomes.set({ target, state }, deliveries)
    for (const { target, oldestS } of figures.oldestPending) oldestOutcome.set({ target }, oldestS)
  }
}
