// A course under way: the driver, the truth, and between them the calls with what the service does about each.

import { answerOf, fitting } from './answers.ts'
import type { Call, Row } from './course-row.ts'
import { type Course, callTakes } from './driver.ts'
import { judge } from './judge.ts'
import { readReport } from './read-report.ts'
import type { Fate, ServiceModel } from './service-model.ts'

/** Minutes. */
const baselineAge = 15
const aMoment = 0.001

/** A course under way: the driver, and what only the judge may know. */
export class Run {
  readonly fates = new Map<Call, Fate>()
  /** Calls whose worker has died. */
  readonly dead = new Set<Call>()
  readonly course: Course
  readonly truth: ServiceModel
  private judged = 0

  constructor(course: Course, truth: ServiceModel) {
    this.course = course
    this.truth = truth
  }

  judge(): void {
    this.judged = judge(this.course, this.truth, this.judged)
  }

  send(size: number, fate: Fate): void {
    if (this.course.now - this.course.baselineAt > baselineAge) readReport(this.course, this.truth.shown(0), true)
    this.tick()
    const call = this.course.send(size)
    if (!call) return
    this.fates.set(call, fitting(fate, call.rows.length, this.truth))
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

  /** @param heard whether the service gets to see the call although its worker dies */
  die(call: Call, heard: boolean): void {
    if (heard && !this.fates.get(call)?.early) this.serve(call)
    this.dead.add(call)
  }

  pass(minutes: number): void {
    const until = this.course.now + minutes
    for (const call of this.underWay()) {
      if (call.sentAt + callTakes > until) continue
      this.setClock(call.sentAt + callTakes)
      this.fates.set(call, { ...(this.fates.get(call) as Fate), says: 'nothing' })
      this.answer(call)
    }
    this.setClock(until)
    this.course.sweep()
  }

  /** No two things happen at the same instant: what was read before a sending was read before it. */
  tick(): void {
    this.setClock(this.course.now + aMoment)
  }

  private setClock(at: number): void {
    this.course.now = Math.max(this.course.now, at)
    this.truth.now = this.course.now
  }

  /** A person answers for a held row: by the truth, unless the world has people say of every row that it was not sent. */
  resolve(row: Row): void {
    const theirs = this.truth.tookOf(row)
    const claimed = row.claim === null ? null : this.truth.items.find(({ key }) => key === row.claim)
    const taken = theirs.length > 0
    // There is no word for "the service has it, but as another item than the one that is shown": it stays held.
    if (taken && claimed && !theirs.includes(claimed)) return
    if (taken && !this.truth.world.personErrs) this.course.saidSent(row)
    else this.startOver(row)
  }

  startOver(row: Row): void {
    this.course.startOver(row)
  }
}
