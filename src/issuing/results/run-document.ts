// Builds the document that `issue --json` prints at the end and `status --run` shows. The document is a public
// contract; see the README. Pure.

import { noStates, type StateCounts, totalOf } from '#src/domain/credential/state.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { RunProblem } from '#src/ledger/runs/violations.ts'

export interface RunDocument {
  /** Null if the service was unavailable, or refused the keys, before the file was read. */
  run: string | null
  pipeline: string
  source: string
  rows: number
  invalid: number
  skipped: number
  accepted: number
  states: StateCounts
  balanced: boolean
  results: string | null
  invalidRows: string | null
  /**
   * The skipped rows: those with the same data as in the ledger (`known`), with different data (`changed`), and with a
   * value that the setting `where` excludes (`notMeant`).
   */
  known: number
  changed: number
  notMeant: number
  /** Rows whose data were deleted because their person was forgotten. They are also counted under their outcome. */
  forgotten: number
  /** What is wrong with the invalid rows, the most frequent problem first. The value of the first example is masked. */
  problems: readonly RunProblem[]
}

/**
 * @param surplus the number of report items beyond those requested; if it is not 0, the report disagrees with the
 * ledger
 */
export function runDocument(
  run: Run,
  states: StateCounts,
  surplus: number,
  problems: readonly RunProblem[] = [],
): RunDocument {
  const addsUp = run.rows === run.invalid + run.skipped + run.accepted && run.accepted === totalOf(states)
  return {
    run: run.id,
    pipeline: run.pipeline,
    source: run.sourceName,
    rows: run.rows,
    invalid: run.invalid,
    skipped: run.skipped,
    accepted: run.accepted,
    states,
    balanced: addsUp && surplus === 0,
    results: run.resultsPath,
    invalidRows: run.invalidPath,
    known: run.known,
    changed: run.changed,
    notMeant: run.notMeant,
    forgotten: run.forgotten,
    problems,
  }
}

/**
 * Returns the document of a command that processed nothing. It has every key, so that scripts can rely on them.
 * `balanced` is false, because nothing was compared.
 */
export function emptyDocument(pipeline: string, source: string): RunDocument {
  const counts = { rows: 0, invalid: 0, skipped: 0, accepted: 0, states: noStates() }
  const diff = { known: 0, changed: 0, notMeant: 0, forgotten: 0, problems: [] }
  return { run: null, pipeline, source, ...counts, balanced: false, results: null, invalidRows: null, ...diff }
}
