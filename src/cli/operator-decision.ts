// Determines who made a decision at the command line and why, for the ledger to record, and which run is meant. Reads
// the environment and the ledger.

import { userInfo } from 'node:os'
import type { WholeLedger } from '#src/app/whole-ledger.ts'
import type { OperatorDecision } from '#src/ledger/operator-decision.ts'
import type { Cli } from './cli-context.ts'
import { UsageError } from './exit-code.ts'

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

/**
 * Finds the run that a user means, by its id or the first characters of the id, which file names contain.
 * @returns the whole id
 * @throws UsageError if there is no such run, or several
 */
export async function findRunId(ledger: { runs: Pick<WholeLedger['runs'], 'named'> }, text: string): Promise<string> {
  const [found, ...more] = await ledger.runs.named(text)
  if (found && more.length === 0) return found
  if (found)
    throw new UsageError(
      `${text} is the beginning of several runs: ${[found, ...more].join(', ')}. Give more characters.`,
    )
  throw new UsageError(
    `The ledger has no run ${text}. \`credsync status\` lists the runs; the first eight characters of an id are enough.`,
  )
}
