// The interface to the targets of outcomes other than the results file.

import type { Run } from '#src/ledger/runs/runs.ts'

export interface OutcomeTargets {
  /** Records what is to be delivered for the run. Other jobs deliver it, and may fail independently. */
  request(run: Run): Promise<void>
}
