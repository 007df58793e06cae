// "The third" of a command becomes an id of a side, and ids that a verb answers become ranks again.

import type { State } from '#src/issuance/state.ts'
import { aCourse, otherCourse } from '#test/support/build.ts'
import type { Side } from './side.ts'

export const courses: readonly string[] = [aCourse, otherCourse]
export const pipelines: readonly string[] = ['spring', 'autumn']
export const courseAt = (which: number) => courses[which % 2] as string
export const pipelineAt = (which: number) => pipelines[which % 2] as string
export const instanceAt = (which: number) => `0000000${which}-0000-4000-8000-000000000000`

/** Round and round among those there are; where there is none, an id that is nobody's. */
function at<Id>(ids: readonly Id[], which: number, nobody: Id): Id {
  return ids[which % Math.max(1, ids.length)] ?? nobody
}

/** Among the rows in a state, or among all where there is none in it. */
export function issuanceAt(side: Side, which: number, state?: State): number {
  const own = side.issuances.filter((each) => each.state === state)
  return at(own.length > 0 ? own : side.issuances, which, { id: 2 ** 40, state: 'pending' as const }).id
}

export const runAt = (side: Side, which: number) => at(side.runs, which, '99999999-0000-4000-8000-000000000000')

/** Among the runs that are braked, or among all where there is none. */
export const brakedAt = (side: Side, which: number) =>
  side.braked.length > 0 ? at(side.braked, which, '') : runAt(side, which)

/** Among the attempts of a phase, the youngest first, or among all where there is none of it. */
export function attemptAt(side: Side, which: number, phase?: string): number {
  return attemptOf(side, which, phase).id
}

export function attemptOf(side: Side, which: number, phase?: string): Side['attempts'][number] {
  const own = side.attempts.filter((each) => each.phase === phase).reverse()
  return at(own.length > 0 ? own : side.attempts, which, { id: 2 ** 40, phase: '', size: 1, course: courseAt(0) })
}

/** In order, for a database gives them in none. */
export const issuanceRanks = (side: Side, ids: readonly number[]) =>
  ids.map((id) => side.issuances.findIndex((each) => each.id === id) + 1).sort((a, b) => a - b)
export const attemptRanks = (side: Side, ids: readonly number[]) =>
  ids.map((id) => side.attempts.findIndex((each) => each.id === id) + 1).sort((a, b) => a - b)
export const runRanks = (side: Side, ids: readonly string[]) =>
  ids.map((id) => side.runs.indexOf(id) + 1).sort((a, b) => a - b)
