// The stories, as the command line asks for them.

import type { Doing } from '#src/cli/doing.ts'
import { lookOnce } from './reconcile.ts'
import { tendRevocations } from './revocations.ts'
import { startWorker } from './worker.ts'
import { writeBack } from './write-back.ts'

export const doing: Doing = {
  startWorker,
  lookOnce: (app) => lookOnce(app, 'deep'),
  tendRevocations,
  async writeResults(app, runId) {
    await app.ledger.wantResults(runId)
    await writeBack(app, { runId })
  },
  async writeWantedResults(app) {
    for (const runId of await app.ledger.takeWriteBacks()) await writeBack(app, { runId })
  },
}
