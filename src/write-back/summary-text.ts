// What became of a file, on a page for the person who handed it over. Pure.

import { basename } from 'node:path'
import type { StateCounts } from '#src/issuance/state.ts'
import type { Run } from '#src/ledger/runs.ts'
import type { Problem } from '#src/ledger/violations.ts'
import { minuteOf } from '#src/time/minute.ts'
import { runDocument } from './run-document.ts'
import { brakeLines, summaryLines } from './run-summary.ts'

/** @param at when it was looked at */
export function summaryText(
  of: { run: Run; states: StateCounts; surplus: number; problems: readonly Problem[] },
  at: Date,
): string {
  const { run, states, surplus, problems } = of
  const document = runDocument(run, states, surplus, problems)
  const beside = (path: string | null) => path && `${basename(path)}, beside this page`
  const lines = [
    `As of ${minuteOf(at)} UTC. This page is written anew when there is news.`,
    '',
    ...summaryLines({ ...document, results: beside(run.resultsPath), invalidRows: beside(run.invalidPath) }, run),
    ...standing(run),
    ...run.notices.map((notice) => `  note: ${notice}`),
  ]
  return `${lines.join('\n')}\n`
}

function standing(run: Run): string[] {
  if (run.state === 'braked') return ['  It waits for a person.', ...brakeLines(run)]
  if (run.state === 'refused') return [`  It was refused, and nothing of it is issued. ${run.refusal ?? ''}`.trimEnd()]
  return run.approval ? [`  Approved by ${run.approval.by}.`] : []
}
