// The pipelines that keep data of people for a limited time. Pure.

import type { FileSettings } from '#config/schema.ts'
import type { Retention } from '#src/extensions/privacy/ledger/retention.ts'

export function configuredRetentions(pipelines: FileSettings['pipelines'], now: Date): Retention[] {
  return Object.entries(pipelines).flatMap(([pipeline, { retentionDays: days }]) =>
    days === undefined ? [] : [{ pipeline, days, now }],
  )
}
