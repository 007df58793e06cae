// credsync forget --replay: requests again the erasures that a restored ledger has lost, from the file that lists them.

import type { App } from '#src/app/app.ts'
import { countOf } from '#src/issuing/results/counted-noun.ts'
import type { ComparisonOf } from '#src/ledger/erasure/person-records.ts'
import type { LostErasure } from '#src/ledger/erasure/recorded-erasures.ts'
import { CorrectionInProgressError, type ErasureRequest } from '#src/ledger/erasure/request-erasure.ts'
import { UnknownCourseOfPersonError } from '#src/ledger/erasure/write-traces.ts'
import { type Cli, printJson, say } from '../cli-context.ts'
import { confirm } from '../confirm.ts'
import { type ExitCode, exitCode, exitCodeOf } from '../exit-code.ts'
import { operatorDecision } from '../operator-decision.ts'

export interface ReplayOptions {
  by?: string
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

/** Can be run again at any time, for example after `adopt` has brought back people whose issuances were lost as well. */
export async function replayErasures(
  cli: Cli,
  { ledger, erasuresFile }: Pick<App, 'ledger' | 'erasuresFile'>,
  options: ReplayOptions & { comparisonOf: ComparisonOf; courses: NonNullable<ErasureRequest['courses']> },
): Promise<ExitCode> {
  const { erasures: lines } = await erasuresFile.read()
  const lost = await ledger.erasures.lost(lines)
  for (const each of lost) say(cli, lostLine(each))
  if (lost.length === 0) say(cli, `The ledger has every erasure of ${erasuresFile.path}. Nothing was changed.`)
  const question = `Request ${lost.length === 1 ? 'this erasure' : `these ${lost.length} erasures`} again?`
  const isWanted = lost.length > 0 && !options.dryRun && (await confirm(cli, question, options))
  const failures: Error[] = []
  if (isWanted) {
    const { by } = operatorDecision(cli, options)
    const { comparisonOf, courses } = options
    for (const { line, ids, completions } of lost) {
      const request = {
        ...{ ids, rows: line.rows, completions, by, comparisonOf, courses },
        reason: 'replayed: the ledger was restored to an earlier time',
        revokes: line.revokes,
        releases: line.releases,
        replays: { id: line.erasure, at: line.at, completions: line.completions, traces: line.traces },
      }
      // One that has to wait keeps nobody else's from being requested.
      await ledger.erasures.request(request).catch((error: unknown) => {
        if (!(error instanceof CorrectionInProgressError || error instanceof UnknownCourseOfPersonError)) throw error
        failures.push(error)
        say(cli, `Erasure ${line.erasure}: ${error.message}`)
      })
    }
    if (failures.length < lost.length)
      say(
        cli,
        `${failures.length > 0 ? 'The others' : 'They'} are requested again, and carried out while \`credsync start\` runs.`,
      )
  }
  const erasures = lost.map(({ line, ids }) => ({ erasure: line.erasure, at: line.at, ids: ids.map((id) => `i${id}`) }))
  if (options.json) printJson(cli, { replayed: isWanted && failures.length === 0, erasures })
  if (failures.length > 0) return exitCodeOf(failures[0])
  return isWanted || lost.length === 0 || options.dryRun ? exitCode.ok : exitCode.usage
}

function lostLine({ line, ids, completions }: LostErasure): string {
  const found = [
    ...ids.map((id) => `i${id}`),
    ...line.rows.map(({ run, row }) => `${run}:${row}`),
    ...(completions.length > 0 ? [countOf(completions.length, 'completion')] : []),
  ]
  const what =
    found.length > 0
      ? found.join(', ')
      : 'nothing of it is in this ledger. If `credsync adopt` brings it back, run this command again'
  return `Erasure ${line.erasure}, of ${line.at.slice(0, 10)}${line.releases ? ', with release' : ''}: ${what}`
}
