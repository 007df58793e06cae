// Who decides at the command line, and why: what the ledger keeps of a person's word.

import type { Decision } from '#src/ledger/decisions.ts'
import type { Cli } from './surroundings.ts'

export function decisionOf(cli: Pick<Cli, 'env'>, { by, why }: { by?: string; why?: string }): Decision {
  return {
    by: by ?? cli.env.SUDO_USER ?? cli.env.USER ?? 'somebody at the command line',
    why: why ?? '',
  }
}
