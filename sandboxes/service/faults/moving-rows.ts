// Fault: rows with equal sort values change their order from one page request to the next. Pure.

import { drawsOf } from './draw.ts'

/**
 * Returns a copy of an ascending list in which each run of equal keys is shuffled. `call` is the number of the report
 * call, so that every page has its own order, but the same sequence of calls always has the same orders.
 */
export function shuffledRuns<T>(ascending: readonly T[], keyOf: (each: T) => string, seed: string, call: number): T[] {
  const rank = drawsOf(seed, 'moving rows', call)
  const ranked = ascending.map((each, index) => ({ each, rank: rank(index), key: keyOf(each) }))
  const moved: T[] = []
  for (let start = 0; start < ranked.length; ) {
    let end = start + 1
    while (end < ranked.length && ranked[end]?.key === ranked[start]?.key) end++
    const run = ranked.slice(start, end).sort((a, b) => a.rank - b.rank)
    for (const { each } of run) moved.push(each)
    start = end
  }
  return moved
}
