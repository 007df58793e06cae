// The interface to the targets of outcomes other than the results file.

import type { Run } from '#src/ledger/runs/runs.ts'

export interface OutcomeTargets {
  /** Records what has to be delivered for the run. Other jobs make the deliveries, and may fail independently. */
  request(run: Run): Promise<void>
}
