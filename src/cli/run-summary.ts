// A run in words, for people. Pure.

import { states as allStates, countIn, needsPersonStates, type State } from '#src/issuance/state.ts'
import type { RunDocument } from './run-document.ts'

const words: Partial<Record<State, string>> = {
  pending: 'not yet sent',
  sending: 'being sent',
  unconfirmed: 'sent, outcome unknown: the report is asked',
  requested: 'sent, and taken by the service',
  in_progress: 'being issued',
  rejected: 'rejected by the certification body',
  failed: 'the service refused it or gave up on it',
  held: 'a person must decide',
}

export function summaryLines(document: RunDocument): string[] {
  const { rows, invalid, skipped, accepted, states } = document
  const lines = [
    headLine(document),
    `  ${countOf(rows, 'row')} = ${accepted} accepted + ${invalid} invalid + ${skipped} skipped (known already, or twice in the file)`,
  ]
  for (const state of allStates) {
    const count = states[state]
    if (count > 0) lines.push(`  ${String(count).padStart(7)} ${state}${words[state] ? ` (${words[state]})` : ''}`)
  }
  const waiting = waitingLine(document)
  if (waiting) lines.push(waiting)
  if (!document.balanced)
    lines.push(
      '  The report shows more credentials for these people than were asked for. `credsync explain WHO` shows the evidence.',
    )
  if (document.results) lines.push(`  results       ${document.results}`)
  if (document.invalidRows) lines.push(`  invalid rows  ${document.invalidRows}`)
  return lines
}

export function headLine({ source, pipeline, run }: Pick<RunDocument, 'source' | 'pipeline' | 'run'>): string {
  return `${source} → ${pipeline} (run ${run})`
}

/** `1 row`, `2 rows`: a number with its noun. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Null when nothing waits for a person. */
function waitingLine({ invalid, states }: RunDocument): string | null {
  const waiting = invalid + countIn(states, needsPersonStates)
  if (waiting === 0) return null
  const kinds = [['invalid', invalid] as const, ...needsPersonStates.map((state) => [state, states[state]] as const)]
  const listed = kinds.flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
  return `  ${countOf(waiting, 'row')} ${waiting === 1 ? 'needs' : 'need'} a person: ${listed.join(', ')}`
}
