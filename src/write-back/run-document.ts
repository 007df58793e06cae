// What `issue --json` ends with, and `status --run` shows: one document for a run. A contract; see the README.

import { noStates, type StateCounts, totalOf } from '#src/issuance/state.ts'
import type { Run } from '#src/ledger/runs.ts'
import type { Problem } from '#src/ledger/violations.ts'

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
  /** Of the skipped: the same data as the ledger knows, or other data. */
  known: number
  changed: number
  /** People of the last list who are not in this one. */
  gone: number
  /** What is wrong with the invalid rows, those of most rows first; the value of the first example is masked. */
  problems: readonly Problem[]
}

/** @param surplus report items beyond those asked for: with any, the service's report does not agree with the ledger */
export function runDocument(
  run: Run,
  states: StateCounts,
  surplus: number,
  problems: readonly Problem[] = [],
): RunDocument {
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
    known: run.known,
    changed: run.changed,
    gone: run.gone,
    problems,
  }
}

/** The document of a call that took nothing: scripts find every key whatever the ending. Nothing was compared, so it is not balanced. */
export function emptyDocument(pipeline: string, source: string): RunDocument {
  const counts = { rows: 0, invalid: 0, skipped: 0, accepted: 0, states: noStates() }
  const diff = { known: 0, changed: 0, gone: 0, problems: [] }
  return { run: null, pipeline, source, ...counts, balanced: false, results: null, invalidRows: null, ...diff }
}
