// Checks the promises: compares the driver's actions and states with the true state of the service. Each promise is
// formulated independently of the rules under test. Pure, except that a broken promise throws.

import { restingStates } from '#src/domain/credential/state.ts'
import type { Course } from './course-driver.ts'
import type { TakenStep } from './course-row.ts'
import type { ServiceModel } from './service-model.ts'

export class BrokenPromise extends Error {
  constructor(promise: string, row: number) {
    super(`${promise}: row ${row}`)
    this.name = 'BrokenPromise'
  }
}

/** Checks the state and the steps taken since `from`. Returns where the next check begins. */
export function checkPromises(course: Course, truth: ServiceModel, from: number): number {
  checkAcceptedOnce(truth)
  checkReportedStates(course, truth)
  for (let at = from; at < course.takenSteps.length; at++) {
    const taken = course.takenSteps[at] as TakenStep
    if (taken.to === 'held' && !isHoldJustified(taken, course))
      throw new BrokenPromise(`held without a cause (${taken.reason})`, taken.row.id)
    if (
      isResend(taken) &&
      course.takenSteps.filter((takenStep) => isSameAttemptCycle(takenStep, taken) && isResend(takenStep)).length >
        course.policy.resends
    )
      throw new BrokenPromise('sent again automatically more often than allowed', taken.row.id)
  }
  return course.takenSteps.length
}

export function checkFinalStates(course: Course): void {
  for (const row of course.rows)
    if (!restingStates.includes(row.state)) throw new BrokenPromise(`left ${row.state} forever`, row.id)
}

function checkAcceptedOnce(truth: ServiceModel): void {
  const accepted = new Map<string, number>()
  for (const { createdBy } of truth.items) {
    if (!createdBy) continue
    const name = `${createdBy.row}/${createdBy.life}`
    const times = (accepted.get(name) ?? 0) + 1
    if (times > 1) throw new BrokenPromise('accepted twice because of our calls', createdBy.row)
    accepted.set(name, times)
  }
}

function checkReportedStates(course: Course, truth: ServiceModel): void {
  const owners = new Set<string>()
  const items = new Map(truth.items.map((item) => [item.key, item]))
  for (const row of course.rows) {
    const item = row.claim === null ? undefined : items.get(row.claim)
    if (row.state === 'issued' && item?.status !== 'issued')
      throw new BrokenPromise('reported as issued but is not issued', row.id)
    if (!item) continue
    if (item.person !== row.person) throw new BrokenPromise('follows an item of another person', row.id)
    if (item.appliedAt < 0) throw new BrokenPromise('follows an item from before the first call', row.id)
    if (owners.has(item.key)) throw new BrokenPromise('follows the item of another row', row.id)
    owners.add(item.key)
  }
}

/** Derived from the step itself, not from the driver's counter. */
function isResend({ event, known }: TakenStep): boolean {
  return event === 'proven not applied' && known.outcome === 'unknown'
}

function isSameAttemptCycle(one: TakenStep, other: TakenStep): boolean {
  return one.row === other.row && one.life === other.life
}

function isHoldJustified({ row, from, known }: TakenStep, { policy }: Course): boolean {
  // Held for another name or a second item: both need an item that the row has claimed. (No item can fit two rows here,
  // because each row of a course is a different person.)
  if (row.claim !== null) return true
  if (from !== 'unconfirmed') return false
  const { looks, controlledLooks, resends, batchShown } = known
  if (batchShown) return looks >= policy.looksWithoutBatch
  if (known.outcome === 'refused' || looks < policy.looks) return false
  return resends >= policy.resends || (controlledLooks < policy.looks && looks >= policy.looksWithoutControl)
}
