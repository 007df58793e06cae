// The functions through which the command line runs the jobs.

import type { JobActions } from '#src/cli/job-actions.ts'
import { readReportOnce } from './reconcile.ts'
import { processRevocations } from './revocations.ts'
import { watch } from './watch-issued.ts'
import { startWorker } from './worker.ts'
import { writeBack } from './write-back.ts'

export const jobActions: JobActions = {
  startWorker,
  readReportOnce: (app) => readReportOnce(app, 'deep'),
  watchIssued: async (app) => void (await watch(app)),
  processRevocations,
  async writeResults(app, runId) {
    await app.ledger.writeBacks.want(runId)
    await writeBack(app, { runId })
  },
  async writeWantedResults(app) {
    for (const runId of await app.ledger.work.takeWriteBacks()) await writeBack(app, { runId })
  },
}
