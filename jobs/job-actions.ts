// The functions through which the command line runs the jobs. Each imports its job when it runs, because most commands
// need none.

import type { JobActions } from '#src/cli/job-actions.ts'

export const jobActions: JobActions = {
  async startWorker(...args) {
    const { startWorker } = await import('./worker.ts')
    return startWorker(...args)
  },
  async readReportOnce(app) {
    const { readReportOnce } = await import('./reconcile.ts')
    return readReportOnce(app, 'deep')
  },
  async watchIssued(app) {
    const { watch } = await import('./watch-issued.ts')
    await watch(app)
  },
  async processRevocations(app, ids) {
    const { processRevocations } = await import('./revocations.ts')
    return processRevocations(app, ids)
  },
  async writeResults(app, runId) {
    const { writeBack } = await import('./write-back.ts')
    await app.ledger.writeBacks.want(runId)
    await writeBack(app, { runId })
  },
  async writeWantedResults(app) {
    const { writeBack } = await import('./write-back.ts')
    for (const runId of await app.ledger.work.takeWriteBacks()) await writeBack(app, { runId })
  },
  async carryOutErasures(app) {
    const { carryOutToTheEnd } = await import('./privacy/carry-out-erasures.ts')
    await carryOutToTheEnd(app)
  },
}
