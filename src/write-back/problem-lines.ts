// What is wrong with the rows that were not taken, in lines for people: kinds of trouble instead of rows. Pure.

import type { Problem } from '#src/ledger/violations.ts'
import { remedyOfRule } from '#src/recipients/remedy-of-rule.ts'
import { wordsOfRule } from '#src/recipients/words-of-rule.ts'
import { countOf } from './count-of.ts'

const mostShown = 10

/** For each kind, ten at most, a line and what to do about it; at the end one that counts the rest. None when nothing is wrong. */
export function problemLines(problems: readonly Problem[]): string[] {
  const lines = problems.slice(0, mostShown).flatMap((problem) => [lineOf(problem), ...remedyLines(problem)])
  const more = problems.length - mostShown
  return more > 0 ? [...lines, `  and ${countOf(more, 'more kind')}`] : lines
}

function lineOf({ field, rule, rows, examples, value }: Problem): string {
  const [first, ...others] = examples
  const shown = value ? ` (${rule.includes('date') ? `written like ${value}` : value})` : ''
  const numbers = [`${first}${shown}`, ...others]
  const listed = numbers.length > 1 ? `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}` : numbers[0]
  const named = `${examples.length === 1 ? 'row' : 'rows'} ${listed}`
  return `  ${countOf(rows, 'row')}: ${wordsOfRule(rule, field)}; ${rows > examples.length ? 'e.g. ' : ''}${named}`
}

function remedyLines({ rule, field }: Problem): string[] {
  const remedy = remedyOfRule(rule, field)
  return remedy === null ? [] : [`    → ${remedy}`]
}
