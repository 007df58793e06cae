// Reads the metrics of the ledger, together with those of the data that extensions keep in it.

import {
  type ArchiveMetrics,
  dueArchives,
  readArchiveMetrics,
} from '#src/extensions/certificates/ledger/archive-metrics.ts'
import {
  configuredLearning,
  type LearningMetrics,
  readLearningMetrics,
} from '#src/extensions/lms/ledger/learning-metrics.ts'
import { type NoticeMetrics, readNoticeMetrics } from '#src/extensions/notices/ledger/notice-metrics.ts'
import { type ErasureMetrics, readErasureMetrics } from '#src/extensions/privacy/ledger/erasure-metrics.ts'
import { type LedgerMetrics, readLedgerMetrics } from '#src/ledger/metrics/ledger-metrics.ts'
import type { Database } from '#src/platform/database/database.ts'
import type { App } from './app.ts'

export interface WholeMetrics extends LedgerMetrics {
  learning: LearningMetrics
  notices: NoticeMetrics
  archives: ArchiveMetrics[]
  erasures: ErasureMetrics
}

/**
 * Reads all metrics as of one instant.
 * @param app used to leave out what is no longer in the configuration, because no one can do anything about it. If
 * omitted, everything is counted.
 */
export async function readWholeMetrics(database: Database, environment: string, app?: App): Promise<WholeMetrics> {
  const metrics = await readLedgerMetrics(database, environment, async (sql) => ({
    learning: await readLearningMetrics(sql, environment, app && configuredLearning(app)),
    notices: await readNoticeMetrics(sql, environment),
    archives: await readArchiveMetrics(sql, environment),
    erasures: await readErasureMetrics(sql, environment),
  }))
  Object.assign(metrics.due, dueArchives(metrics.archives))
  return metrics
}
