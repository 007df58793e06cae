// Compares what the driver did and says with what the service knows. It states each promise in its own words and asks none of the rules.

import { restingStates } from '#src/issuance/state.ts'
import type { Taken } from './course-row.ts'
import type { Course } from './driver.ts'
import type { ServiceModel } from './service-model.ts'

export class BrokenPromise extends Error {
  constructor(promise: string, row: number) {
    super(`${promise}: row ${row}`)
    this.name = 'BrokenPromise'
  }
}

/** Judges the state as it is, and the steps taken since `from`. @returns where the next judging begins */
export function judge(course: Course, truth: ServiceModel, from: number): number {
  judgeTakes(truth)
  judgeReports(course, truth)
  for (let at = from; at < course.taken.length; at++) {
    const taken = course.taken[at] as Taken
    if (taken.to === 'held' && !mayHold(taken, course))
      throw new BrokenPromise(`held without a cause (${taken.reason})`, taken.row.id)
    if (
      isResend(taken) &&
      course.taken.filter((each) => isSameLife(each, taken) && isResend(each)).length > course.policy.resends
    )
      throw new BrokenPromise('sent again by itself more often than allowed', taken.row.id)
  }
  return course.taken.length
}

export function judgeEnd(course: Course): void {
  for (const row of course.rows)
    if (!restingStates.includes(row.state)) throw new BrokenPromise(`left ${row.state} for ever`, row.id)
}

function judgeTakes(truth: ServiceModel): void {
  const taken = new Map<string, number>()
  for (const { of } of truth.items) {
    if (!of) continue
    const name = `${of.row}/${of.life}`
    const times = (taken.get(name) ?? 0) + 1
    if (times > 1) throw new BrokenPromise('taken twice by our sendings', of.row)
    taken.set(name, times)
  }
}

function judgeReports(course: Course, truth: ServiceModel): void {
  const owners = new Set<string>()
  const items = new Map(truth.items.map((item) => [item.key, item]))
  for (const row of course.rows) {
    const item = row.claim === null ? undefined : items.get(row.claim)
    if (row.state === 'issued' && item?.status !== 'issued')
      throw new BrokenPromise('said to be issued, and is not', row.id)
    if (!item) continue
    if (item.person !== row.person) throw new BrokenPromise('follows somebody else', row.id)
    if (item.takenAt < 0) throw new BrokenPromise('follows an item from before', row.id)
    if (owners.has(item.key)) throw new BrokenPromise('follows the item of another row', row.id)
    owners.add(item.key)
  }
}

/** Told by the step, not by the driver's counter. */
function isResend({ event, known }: Taken): boolean {
  return event === 'proven not applied' && known.outcome === 'unknown'
}

function isSameLife(one: Taken, other: Taken): boolean {
  return one.row === other.row && one.life === other.life
}

function mayHold({ row, from, known }: Taken, { policy }: Course): boolean {
  // Shown: another name, a second item, or an item for two. All need an item, so this is for rows whose item or whose twin's was seen.
  if (row.claim !== null) return true
  if (from !== 'unconfirmed') return false
  const { looks, controlledLooks, resends, batchShown } = known
  if (batchShown) return looks >= policy.looksWithoutBatch
  if (known.outcome === 'refused' || looks < policy.looks) return false
  return resends >= policy.resends || (controlledLooks < policy.looks && looks >= policy.looksWithoutControl)
}
