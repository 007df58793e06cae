// Determines which verbs can conflict, and every way to interleave the statements of one with the other. Pure.

import { titleOf, type Verb } from './verb.ts'
import { verbs } from './verbs.ts'

export interface Case {
  first: Verb
  second: Verb
  /** The statement of the first verb before which it is stopped. */
  at: number
}

/** Tables to which rows are only appended, and on which no decision is based. */
const appended = ['history']

interface TablesOfVerb {
  written: ReadonlySet<string>
  known: ReadonlySet<string>
}

function touchedBy(texts: readonly string[]): TablesOfVerb {
  const tables = (pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1]?.toLowerCase() ?? ''))
  const written = tables(/(?<!DO |FOR )(?:UPDATE|INSERT INTO|DELETE FROM)\s+(\w+)/g)
  return {
    written: new Set(written.filter((table) => !appended.includes(table))),
    known: new Set([...written, ...tables(/(?:FROM|JOIN)\s+(\w+)/g)]),
  }
}

/** Whether one verb writes a table that the other reads or writes, checked in both directions. */
function canConflict(one: TablesOfVerb, other: TablesOfVerb): boolean {
  return (
    [...one.written].some((table) => other.known.has(table)) || [...other.written].some((table) => one.known.has(table))
  )
}

/**
 * Returns one case for every two verbs that can conflict, in either order, then all the other cases.
 * @param statementsOf the statements of each verb, including its commits
 * @param seed selects the stop of the first case
 */
export function casesOf(
  statementsOf: ReadonlyMap<Verb, readonly string[]>,
  seed: number,
): { pairs: number; first: Case[]; rest: Case[] } {
  const touched = new Map(verbs.map((verb) => [verb, touchedBy(statementsOf.get(verb) ?? [])]))
  const together = (one: Verb, other: Verb) =>
    canConflict(touched.get(one) as TablesOfVerb, touched.get(other) as TablesOfVerb)
  const ordered = verbs.flatMap((first) =>
    verbs.filter((second) => together(first, second)).map((second) => ({ first, second })),
  )
  const first: Case[] = []
  const rest: Case[] = []
  for (const [number, pair] of ordered.entries()) {
    // A stop before the first statement is left out: the verb has read nothing yet, so this is the same as running one
    // verb after the other.
    const stops = (statementsOf.get(pair.first)?.length ?? 0) - 1
    const one = ((seed + number) % stops) + 1
    for (let at = 1; at <= stops; at++) (at === one ? first : rest).push({ ...pair, at })
  }
  return { pairs: new Set(ordered.map(pairName)).size, first, rest }
}

const pairName = (pair: { first: Verb; second: Verb }) => [pair.first, pair.second].map(titleOf).sort().join(' and ')

export const caseName = ({ first, second, at }: Case) =>
  `${titleOf(second)} while ${titleOf(first)} is stopped before its statement ${at}`
