// Exports the ledger's figures about erasures as gauges.

import type { ErasureMetrics } from '#src/extensions/privacy/ledger/erasure-metrics.ts'
import type { MakeGauge } from '#src/platform/make-gauge.ts'

export function erasureGauges(gauge: MakeGauge): (figures: ErasureMetrics) => void {
  const open = gauge('erasures_open', 'Requested erasures that have not been carried out.')
  const age = gauge(
    'oldest_open_erasure_age_seconds',
    'Seconds since the oldest of them was requested; 0 if there is none.',
  )
  return ({ open: count, oldestS }) => {
    open.set(count)
    age.set(oldestS)
  }
}
