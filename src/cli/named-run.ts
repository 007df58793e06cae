// Which run a command's user means: by its id, or by the beginning that file names carry.

import type { Ledger } from '#src/ledger/ledger.ts'
import { UsageError } from './exit-code.ts'

/**
 * @returns the whole id
 * @throws UsageError when there is no such run, or several
 */
export async function namedRun(ledger: Pick<Ledger, 'runsNamed'>, text: string): Promise<string> {
  const [found, ...more] = await ledger.runsNamed(text)
  if (found && more.length === 0) return found
  if (found)
    throw new UsageError(`${text} is the beginning of several runs: ${[found, ...more].join(', ')}. Give more of it.`)
  throw new UsageError(
    `The ledger has no run ${text}. \`credsync status\` lists the runs there are; the first eight characters of one are enough.`,
  )
}
