// A course in progress: the driver, the true state of the service, and the calls between them with the fate of each.

import { checkPromises } from './check-promises.ts'
import { type Course, maxCallMinutes } from './course-driver.ts'
import type { Call, Row } from './course-row.ts'
import { readReport } from './read-report.ts'
import type { Fate, ServiceModel } from './service-model.ts'
import { answerOf, possibleFate } from './visible-outcomes.ts'

/** In minutes. */
const baselineAge = 15
const tickMinutes = 0.001

/** A course in progress: the driver, and the truth that only the checks may read. */
export class Run {
  readonly fates = new Map<Call, Fate>()
  /** Calls whose worker is dead. */
  readonly dead = new Set<Call>()
  readonly course: Course
  readonly truth: ServiceModel
  private checkedSteps = 0

  constructor(course: Course, truth: ServiceModel) {
    this.course = course
    this.truth = truth
  }

  check(): void {
    this.checkedSteps = checkPromises(this.course, this.truth, this.checkedSteps)
  }

  send(size: number, fate: Fate): void {
    if (this.course.now - this.course.baselineAt > baselineAge) readReport(this.course, this.truth.shown(0), true)
    this.tick()
    const call = this.course.send(size)
    if (!call) return
    this.fates.set(call, possibleFate(fate, call.rows.length, this.truth))
    if (fate.early) this.serve(call)
  }

  private serve(call: Call): void {
    this.truth.serve(this.fates.get(call) as Fate, call.rows)
  }

  underWay(): Call[] {
    return [...this.fates.keys()].filter((call) => call.outcome === null && !this.dead.has(call))
  }

  answer(call: Call): void {
    const fate = this.fates.get(call) as Fate
    if (!fate.early) this.serve(call)
    this.course.answer(call, answerOf(fate.says))
  }

  /** @param received whether the service receives the call although its worker dies */
  killWorker(call: Call, received: boolean): void {
    if (received && !this.fates.get(call)?.early) this.serve(call)
    this.dead.add(call)
  }

  pass(minutes: number): void {
    const until = this.course.now + minutes
    for (const call of this.underWay()) {
      if (call.sentAt + maxCallMinutes > until) continue
      this.setClock(call.sentAt + maxCallMinutes)
      this.fates.set(call, { ...(this.fates.get(call) as Fate), says: 'nothing' })
      this.answer(call)
    }
    this.setClock(until)
    this.course.sweep()
  }

  /** Ensures that no two events have the same time, so that what was read before a call was read strictly before it. */
  tick(): void {
    this.setClock(this.course.now + tickMinutes)
  }

  private setClock(at: number): void {
    this.course.now = Math.max(this.course.now, at)
    this.truth.now = this.course.now
  }

  /**
   * An operator decides about a held row: correctly, unless operators of this world always say that it was not sent.
   */
  resolve(row: Row): void {
    const requests = this.truth.requestsOf(row)
    const claimed = row.claim === null ? null : this.truth.items.find(({ key }) => key === row.claim)
    const isApplied = requests.length > 0
    // No decision exists for "the service has it, but not as the item that is shown", so it stays held.
    if (isApplied && claimed && !requests.includes(claimed)) return
    if (isApplied && !this.truth.world.operatorErrs) this.course.confirmSent(row)
    else this.startOver(row)
  }

  startOver(row: Row): void {
    this.course.startOver(row)
  }
}
