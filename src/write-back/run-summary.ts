// A run in words, for people. Pure.

import { states as allStates, countIn, needsPersonStates, type State } from '#src/issuance/state.ts'
import { isOfCompletions } from '#src/ledger/completions.ts'
import type { Run } from '#src/ledger/runs.ts'
import { countOf } from './count-of.ts'
import { problemLines } from './problem-lines.ts'
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

/** @param of.lastList the list that this one was compared with */
export function summaryLines(
  document: RunDocument,
  of: Pick<Run, 'lastList' | 'sourcePath'> = { lastList: null, sourcePath: '' },
): string[] {
  const { rows, invalid, skipped, accepted, states } = document
  const ofCompletions = isOfCompletions(of.sourcePath)
  const twice = ofCompletions ? 'twice among these' : 'twice in the file'
  const lines = [
    headLine(document),
    `  ${countOf(rows, 'row')} = ${accepted} accepted + ${invalid} invalid + ${skipped} skipped (in the ledger already, or ${twice})`,
    ...diffLines(document, of),
  ]
  for (const state of allStates) {
    const count = states[state]
    if (count > 0) lines.push(`  ${String(count).padStart(7)} ${state}${words[state] ? ` (${words[state]})` : ''}`)
  }
  const waiting = waitingLine(document)
  if (waiting) lines.push(waiting)
  lines.push(...problemLines(document.problems))
  if (ofCompletions && invalid > 0)
    lines.push(
      `  These rows are completions, and not of a file: mend the data in ${document.source}, or the pipeline's columns. Once other data are told of them they are tried again by themselves; a Moodle is asked each night.`,
    )
  if (!document.balanced)
    lines.push(
      '  The report shows more credentials for these people than were asked for. `credsync explain WHO` shows the evidence.',
    )
  if (document.results) lines.push(`  results       ${document.results}`)
  if (document.invalidRows) lines.push(`  invalid rows  ${document.invalidRows}`)
  return lines
}

/** How the list differs from what the ledger knew, where it knew anybody. */
function diffLines(
  { invalid, accepted, known, changed, gone }: RunDocument,
  { lastList, sourcePath }: Pick<Run, 'lastList' | 'sourcePath'>,
): string[] {
  const lines: string[] = []
  if (known + changed > 0) lines.push(`  ${accepted} new, ${known} known, ${changed} changed`)
  if (changed > 0)
    lines.push(
      `  ${countOf(changed, 'row')} ${changed === 1 ? 'has' : 'have'} other data than the ledger knows: corrections, which are never issued by themselves. ${isOfCompletions(sourcePath) ? '`credsync correct` lists them.' : 'The results say which fields differ.'}`,
    )
  // Whom an invalid row names is not known: they may be the ones who seem to be missing.
  if (gone > 0 && lastList)
    lines.push(
      `  ${gone === 1 ? '1 person' : `${gone} people`} of the last list (${lastList}) ${gone === 1 ? 'is' : 'are'} not in this one${invalid > 0 ? ', unless in its invalid rows' : ''}; nothing is done about them.`,
    )
  return lines
}

/** Why a run is braked, and the two ways on. */
export function brakeLines({ id, brake }: Pick<Run, 'id' | 'brake'>): string[] {
  return [
    `  ${brake?.because ?? ''} Nothing of it was issued; a person decides:`,
    `    credsync approve ${id}   it is right: read it again, and issue it whatever its size`,
    `    credsync reject ${id}    it is wrong: issue nothing of it`,
  ]
}

export function headLine({ source, pipeline, run }: Pick<RunDocument, 'source' | 'pipeline' | 'run'>): string {
  return `${source} → ${pipeline} (run ${run})`
}

/** Null when nothing waits for a person. */
function waitingLine({ invalid, states }: RunDocument): string | null {
  const waiting = invalid + countIn(states, needsPersonStates)
  if (waiting === 0) return null
  const kinds = [['invalid', invalid] as const, ...needsPersonStates.map((state) => [state, states[state]] as const)]
  const listed = kinds.flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
  return `  ${countOf(waiting, 'row')} ${waiting === 1 ? 'needs' : 'need'} a person: ${listed.join(', ')}`
}
