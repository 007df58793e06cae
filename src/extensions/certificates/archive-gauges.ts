// Exports the ledger's figures about archives as gauges.

import type { ArchiveMetrics } from '#src/extensions/certificates/ledger/archive-metrics.ts'
import type { MakeGauge } from '#src/platform/make-gauge.ts'

export function archiveGauges(gauge: MakeGauge): (figures: readonly ArchiveMetrics[]) => void {
  const waiting = gauge('archive_waiting', 'Certificates that are waiting to be downloaded.', ['pipeline'])
  const kept = gauge('archive_kept', 'Certificates that have been downloaded.', ['pipeline'])
  const stuck = gauge('archive_stuck', '1 if nothing can be downloaded into the archive.', ['pipeline'])
  return (figures) => {
    for (const { pipeline, ...archive } of figures) {
      waiting.set({ pipeline }, archive.waiting)
      kept.set({ pipeline }, archive.kept)
      stuck.set({ pipeline }, Number(archive.stuck))
    }
  }
}
