// What became of a file, on a page for the person who handed it over; and of completions where a person is needed. Pure.

import { basename } from 'node:path'
import type { StateCounts } from '#src/issuance/state.ts'
import type { Run } from '#src/ledger/runs.ts'
import type { Problem } from '#src/ledger/violations.ts'
import { minuteOf } from '#src/time/minute.ts'
import { runDocument } from './run-document.ts'
import { brakeLines, headLine, summaryLines } from './run-summary.ts'

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
    // Nothing of a run that was refused or is braked was taken: its counts are noughts that say nothing.
    ...(run.state === 'published'
      ? summaryLines({ ...document, results: beside(run.resultsPath), invalidRows: beside(run.invalidPath) }, run)
      : [headLine(document)]),
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
