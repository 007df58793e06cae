// Where outcomes go beside the results file.

import type { Run } from '#src/ledger/runs/runs.ts'

export interface OutcomeTargets {
  /** Records what is to be delivered of the run. That is done by other jobs, which may fail by themselves. */
  request(run: Run): Promise<void>
}
