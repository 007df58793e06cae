// Reads the metrics of the ledger with those of what the extensions keep in it.

import {
  type ConfiguredLearning,
  type LearningMetrics,
  readLearningMetrics,
} from '#src/extensions/lms/ledger/learning-metrics.ts'
import { type NoticeMetrics, readNoticeMetrics } from '#src/extensions/notices/ledger/notice-metrics.ts'
import { type LedgerMetrics, readLedgerMetrics } from '#src/ledger/metrics/ledger-metrics.ts'
import type { Database } from '#src/platform/database/database.ts'

export interface WholeMetrics extends LedgerMetrics {
  learning: LearningMetrics
  notices: NoticeMetrics
}

/**
 * Reads all metrics as of one instant.
 * @param configured learning systems and targets of the configuration. Others are not counted, because no one can do
 * anything about them. If omitted, all are counted.
 */
export const readWholeMetrics = (
  database: Database,
  environment: string,
  configured?: ConfiguredLearning,
): Promise<WholeMetrics> =>
  readLedgerMetrics(database, environment, async (sql) => ({
    learning: await readLearningMetrics(sql, environment, configured),
    notices: await readNoticeMetrics(sql, environment),
  }))
