// Describes what is wrong with the invalid rows of a run, grouped by kind of violation. Pure.

import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import { type RowOrigin, remedyOfRule } from '#src/domain/recipient/remedy-of-rule.ts'
import type { RunProblem } from '#src/ledger/runs/violations.ts'
import { countOf } from './counted-noun.ts'

const maxKinds = 10

/**
 * Returns a line for each of the first ten kinds, each followed by what to do about it, and a line that counts the
 * other kinds. Empty if there are no problems.
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
