import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { UsageError } from './exit-code.ts'

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
