// Converts "the third" in a command to an id of one side, and ids in results back to ranks.

import type { State } from '#src/domain/credential/state.ts'
import { aCourse, otherCourse } from '#test/support/domain-objects.ts'
import type { Side } from './side.ts'

export const courses: readonly string[] = [aCourse, otherCourse]
export const pipelines: readonly string[] = ['spring', 'autumn']
export const courseAt = (which: number) => courses[which % 2] as string
export const pipelineAt = (which: number) => pipelines[which % 2] as string
export const instanceAt = (which: number) => `0000000${which}-0000-4000-8000-000000000000`

/** Selects modulo the number of items; if there are none, returns an id that does not exist. */
function at<Id>(ids: readonly Id[], which: number, missing: Id): Id {
  return ids[which % Math.max(1, ids.length)] ?? missing
}

/** Selects from the rows in a state, or from all rows if none is in it. */
export function issuanceAt(side: Side, which: number, state?: State): number {
  const matching = side.issuances.filter((issuance) => issuance.state === state)
  return at(matching.length > 0 ? matching : side.issuances, which, { id: 2 ** 40, state: 'pending' as const }).id
}

export const runAt = (side: Side, which: number) => at(side.runs, which, '99999999-0000-4000-8000-000000000000')

/** Selects from the runs held by the brake, or from all runs if there are none. */
export const brakedAt = (side: Side, which: number) =>
  side.braked.length > 0 ? at(side.braked, which, '') : runAt(side, which)

/** Selects from the attempts of a phase, newest first, or from all attempts if none is in it. */
export function attemptAt(side: Side, which: number, phase?: string): number {
  return attemptOf(side, which, phase).id
}

export function attemptOf(side: Side, which: number, phase?: string): Side['attempts'][number] {
  const matching = side.attempts.filter((attempt) => attempt.phase === phase).reverse()
  return at(matching.length > 0 ? matching : side.attempts, which, {
    id: 2 ** 40,
    phase: '',
    size: 1,
    course: courseAt(0),
  })
}

/** Ranks start at 1; 0 means that the id is absent. Sorted, because a database returns ids in no particular order. */
export const issuanceRanks = (side: Side, ids: readonly number[]) =>
  ids.map((id) => side.issuances.findIndex((issuance) => issuance.id === id) + 1).sort((a, b) => a - b)
export const attemptRanks = (side: Side, ids: readonly number[]) =>
  ids.map((id) => side.attempts.findIndex((attempt) => attempt.id === id) + 1).sort((a, b) => a - b)
export const runRanks = (side: Side, ids: readonly string[]) =>
  ids.map((id) => side.runs.indexOf(id) + 1).sort((a, b) => a - b)
