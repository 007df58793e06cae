// What `issue --json` ends with, and `status --run` shows: one document for a run. A contract; see the README.

import { noStates, type StateCounts, totalOf } from '#src/issuance/state.ts'
import type { Run } from '#src/ledger/runs.ts'

export interface RunDocument {
  /** Null when the service was away or refused our keys before anything was taken. */
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
}

/** @param surplus report items beyond those asked for: with any, the service's report does not agree with the ledger */
export function runDocument(run: Run, states: StateCounts, surplus: number): RunDocument {
  const sums = run.rows === run.invalid + run.skipped + run.accepted && run.accepted === totalOf(states)
  return {
    run: run.id,
    pipeline: run.pipeline,
    source: run.sourceName,
    rows: run.rows,
    invalid: run.invalid,
    skipped: run.skipped,
    accepted: run.accepted,
    states,
    balanced: sums && surplus === 0,
    results: run.resultsPath,
    invalidRows: run.invalidPath,
  }
}

/** The document of a call that took nothing: scripts find every key whatever the ending. Nothing was compared, so it is not balanced. */
export function emptyDocument(pipeline: string, source: string): RunDocument {
  const counts = { rows: 0, invalid: 0, skipped: 0, accepted: 0, states: noStates() }
  return { run: null, pipeline, source, ...counts, balanced: false, results: null, invalidRows: null }
}
