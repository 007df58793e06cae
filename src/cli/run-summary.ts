// A run in words, for people. Pure.

import { states as allStates, countIn, needsPersonStates, type State } from '#src/issuance/state.ts'
import type { RunDocument } from './run-document.ts'

const words: Partial<Record<State, string>> = {
  pending: 'not yet sent',
  sending: 'being sent',
  unconfirmed: 'sent, outcome unknown: the report is asked',
  requested: 'sent, the service has them',
  in_progress: 'being issued',
  rejected: 'rejected by the certification body',
  failed: 'failed',
  held: 'need a decision',
}

export function summaryLines(document: RunDocument): string[] {
  const { rows, invalid, skipped, accepted, states } = document
  const lines = [
    `${document.source} → ${document.pipeline} (run ${document.run})`,
    `  ${rows} rows = ${accepted} accepted + ${invalid} invalid + ${skipped} skipped (known already)`,
  ]
  for (const state of allStates) {
    const count = states[state]
    if (count > 0) lines.push(`  ${String(count).padStart(7)} ${state}${words[state] ? ` (${words[state]})` : ''}`)
  }
  const waiting = invalid + countIn(states, needsPersonStates)
  if (waiting > 0) lines.push(`  ${waiting} of them need a person; the files below say why`)
  if (!document.balanced)
    lines.push(
      '  The report shows more credentials for these people than were asked for. `credsync explain WHO` shows the evidence.',
    )
  if (document.results) lines.push(`  results       ${document.results}`)
  if (document.invalidRows) lines.push(`  invalid rows  ${document.invalidRows}`)
  return lines
}
