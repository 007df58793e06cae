// Describes the outcome of a run, and what is wrong with its invalid rows, in lines of text. Pure.

import { states as allStates, countIn, needsOperatorStates, type State } from '#src/domain/credential/state.ts'
import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import { type RowOrigin, remedyOfRule } from '#src/domain/recipient/remedy-of-rule.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { RunProblem } from '#src/ledger/runs/violations.ts'
import type { RunDocument } from './run-document.ts'

export const stateWords: Partial<Record<State, string>> = {
  pending: 'not yet sent',
  sending: 'being sent',
  unconfirmed: 'sent, outcome unknown: the report decides',
  requested: 'sent, and accepted by the service',
  in_progress: 'being issued',
  rejected: 'rejected by the certification body',
  failed: 'the service refused it or gave up on it',
  held: 'a person must decide',
}

/** @param sourcePath where the rows came from: a file, or a learning system */
export function summaryLines(document: RunDocument, sourcePath = ''): string[] {
  const { rows, invalid, skipped, accepted, states } = document
  const ofCompletions = isCompletionsPath(sourcePath)
  const lines = [
    headLine(document),
    `  ${countOf(rows, 'row')} = ${accepted} accepted + ${invalid} invalid + ${skipped} skipped (${whySkipped(document, sourcePath)})`,
    ...diffLines(document, sourcePath),
    ...forgottenLines(document),
  ]
  for (const state of allStates) {
    const count = states[state]
    if (count > 0)
      lines.push(`  ${String(count).padStart(7)} ${state}${stateWords[state] ? ` (${stateWords[state]})` : ''}`)
  }
  const waiting = waitingLine(document)
  if (waiting) lines.push(waiting)
  lines.push(...problemLines(document.problems, ofCompletions ? 'learning system' : 'file'))
  if (ofCompletions && invalid > 0)
    lines.push(
      `  These rows are completions, not rows of a file: fix the data in ${document.source}, or the pipeline's columns. They are tried again automatically once their data changes; a Moodle site is polled every night.`,
    )
  if (!document.balanced)
    lines.push(
      '  The report shows more credentials for these people than were requested. `credsync explain WHO` shows the evidence.',
    )
  if (document.results) lines.push(`  results       ${document.results}`)
  if (document.invalidRows) lines.push(`  invalid rows  ${document.invalidRows}`)
  return lines
}

/**
 * Explains why rows may have been skipped. Forgotten people and rows that `where` excludes are mentioned only if there
 * are any.
 */
export function whySkipped({ forgotten, notMeant }: Pick<Run, 'forgotten' | 'notMeant'>, sourcePath = ''): string {
  const twice = isCompletionsPath(sourcePath) ? 'twice among these' : 'twice in the file'
  return `in the ledger already, ${forgotten > 0 ? 'forgotten, ' : ''}${notMeant > 0 ? 'not meant, ' : ''}or ${twice}`
}

/** Describes how the list differs from the ledger. Returns an empty list if the ledger had none of these people. */
function diffLines({ accepted, known, changed, notMeant }: RunDocument, sourcePath: string): string[] {
  const lines: string[] = []
  if (known + changed + notMeant > 0)
    lines.push(`  ${accepted} new, ${known} known, ${changed} changed${notMeant > 0 ? `, ${notMeant} not meant` : ''}`)
  if (changed > 0)
    lines.push(
      `  ${countOf(changed, 'row')} ${changed === 1 ? 'differs' : 'differ'} from the ledger: corrections, which are never issued automatically. ${isCompletionsPath(sourcePath) ? '`credsync correct` lists them.' : 'The results say which fields differ.'}`,
    )
  return lines
}

function forgottenLines({ forgotten }: Pick<RunDocument, 'forgotten'>): string[] {
  if (forgotten === 0) return []
  return [`  ${countOf(forgotten, 'row')} of people who were forgotten: the data of these rows were deleted`]
}

/** Explains why a run is braked and what the operator can do. */
export function brakeLines({ id, pipeline, brake }: Pick<Run, 'id' | 'pipeline' | 'brake'>): string[] {
  return [
    `  ${brakeReason(brake)} Nothing was issued. A person must decide:`,
    ...(brake?.shown && !brake.adopted
      ? [
          `    credsync adopt --pipeline ${pipeline}   the credentials belong to this course: record them as known, then approve the run`,
        ]
      : []),
    `    credsync approve ${id}   the run is right: read it again, and issue ${brake?.shown ? 'the people the ledger does not know' : 'it regardless of its size'}`,
    `    credsync reject ${id}    the run is wrong: issue nothing`,
  ]
}

/** Explains why a run is still braked. Credentials that have been adopted in the meantime are no longer a reason. */
export function brakeReason(brake: Run['brake']): string {
  if (brake?.adopted) return 'The credentials that the report showed for its course have been adopted since.'
  return brake?.because ?? ''
}

export function headLine({ source, pipeline, run }: Pick<RunDocument, 'source' | 'pipeline' | 'run'>): string {
  return `${source} → ${pipeline} (run ${run})`
}

/** Returns null if no row needs attention. */
function waitingLine({ invalid, states }: RunDocument): string | null {
  const waiting = invalid + countIn(states, needsOperatorStates)
  if (waiting === 0) return null
  const kinds = [['invalid', invalid] as const, ...needsOperatorStates.map((state) => [state, states[state]] as const)]
  const listed = kinds.flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
  return `  ${countOf(waiting, 'row')} ${waiting === 1 ? 'needs' : 'need'} attention: ${listed.join(', ')}`
}

const maxKinds = 10

/**
 * Describes what is wrong with the invalid rows of a run, by kind of violation: a line for each of the first ten kinds,
 * each followed by what to do about it, and a line that counts the other kinds. Empty if there are no problems.
 */
export function problemLines(problems: readonly RunProblem[], origin: RowOrigin = 'file'): string[] {
  const lines = problems.slice(0, maxKinds).flatMap((problem) => [lineOf(problem), ...remedyLines(problem, origin)])
  const hiddenKinds = problems.length - maxKinds
  return hiddenKinds > 0 ? [...lines, `  and ${countOf(hiddenKinds, 'more kind')} of problem`] : lines
}

function lineOf({ field, rule, rows, examples, value }: RunProblem): string {
  const [first, ...others] = examples
  const example = value ? ` (${rule.includes('date') ? `written like ${value}` : value})` : ''
  const numbers = [`${first}${example}`, ...others]
  const listed = numbers.length > 1 ? `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}` : numbers[0]
  const rowNumbers = `${examples.length === 1 ? 'row' : 'rows'} ${listed}`
  return `  ${countOf(rows, 'row')}: ${describeRule(rule, field)}; ${rows > examples.length ? 'e.g. ' : ''}${rowNumbers}`
}

function remedyLines({ rule, field }: RunProblem, origin: RowOrigin): string[] {
  const remedy = remedyOfRule(rule, field, origin)
  return remedy === null ? [] : [`    → ${remedy}`]
}

/** Formats a count with its noun, for example `1 row` or `2 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
