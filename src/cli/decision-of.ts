// Who decides at the command line, and why: what the ledger keeps of a person's word.

import { userInfo } from 'node:os'
import type { Decision } from '#src/ledger/decisions.ts'
import type { Cli } from './surroundings.ts'

export function decisionOf(cli: Pick<Cli, 'env'>, { by, reason }: { by?: string; reason?: string }): Decision {
  return {
    by: by ?? cli.env.SUDO_USER ?? cli.env.USER ?? accountName(),
    why: reason ?? '',
  }
}

/** Of services and cron jobs the environment names nobody. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number without a name.
    return 'somebody at the command line'
  }
}
