// Determines who made a decision at the command line and why, for the ledger to record. Reads the environment.

import { userInfo } from 'node:os'
import type { OperatorDecision } from '#src/ledger/operator-decision.ts'
import type { Cli } from './cli-context.ts'

export function operatorDecision(
  cli: Pick<Cli, 'env'>,
  { by, reason }: { by?: string; reason?: string },
): OperatorDecision {
  return {
    by: by ?? cli.env.SUDO_USER ?? cli.env.USER ?? accountName(),
    why: reason ?? '',
  }
}

/** Used where the environment has no user name, as in services and cron jobs. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a numeric account without a name.
    return 'somebody at the command line'
  }
}
