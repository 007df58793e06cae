// Formats the summary page of a run: for a file, the outcome for the person who submitted it; for completions, what
// needs an operator's decision. Pure.

import { basename } from 'node:path'
import type { StateCounts } from '#src/domain/credential/state.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { RunProblem } from '#src/ledger/runs/violations.ts'
import { minuteOf } from '#src/platform/time/duration.ts'
import { runDocument } from './run-document.ts'
import { brakeLines, headLine, summaryLines } from './run-summary.ts'

/** @param at when the run was read from the ledger */
export function summaryText(
  summary: { run: Run; states: StateCounts; surplus: number; problems: readonly RunProblem[] },
  at: Date,
): string {
  const { run, states, surplus, problems } = summary
  const document = runDocument(run, states, surplus, problems)
  const nextToThisPage = (path: string | null) => path && `${basename(path)}, next to this page`
  const lines = [
    `As of ${minuteOf(at)} UTC. This page is rewritten when something changes.`,
    '',
    // No row of a refused or braked run was accepted, so its zero counts are meaningless.
    ...(run.state === 'published'
      ? summaryLines(
          { ...document, results: nextToThisPage(run.resultsPath), invalidRows: nextToThisPage(run.invalidPath) },
          run.sourcePath,
        )
      : [headLine(document)]),
    ...statusLines(run),
    ...run.notices.map((notice) => `  note: ${notice}`),
  ]
  return `${lines.join('\n')}\n`
}

function statusLines(run: Run): string[] {
  if (run.state === 'braked')
    return [
      '  The run is waiting for a decision.',
      ...brakeLines(run),
      ...(isCompletionsPath(run.sourcePath)
        ? ['  The people to whom it would issue credentials are listed in .waiting.csv, next to this page.']
        : []),
    ]
  if (run.state === 'refused') return [`  The run was refused, and nothing is issued. ${run.refusal ?? ''}`.trimEnd()]
  return run.approval ? [`  Approved by ${run.approval.by}.`] : []
}
