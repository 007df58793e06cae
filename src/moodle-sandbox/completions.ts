// How a course becomes complete: in the learner's own request or by cron, and what of it is told to the outside.

import type { Happening } from './events/happening.ts'
import type { Course, Criterion, Learner } from './records.ts'
import { adminId, progressOf, type Site } from './site.ts'

/** Told one after the other; each is waited for, as in a learner's request (1.3). */
export type Tell = (happening: Happening) => Promise<void>

export class Completions {
  readonly #site: Site
  readonly #tell: Tell

  constructor(site: Site, tell: Tell) {
    this.#site = site
    this.#tell = tell
  }

  /** Ticks the course module `cmid`, or every one that is not ticked yet, and decides nothing: cron will. */
  async tick(learner: Learner, course: Course, at: number, cmid: number | null): Promise<void> {
    const wanted = cmid === null ? leftOf(course, learner) : course.criteria.filter((each) => each.cmid === cmid)
    for (const criterion of wanted) {
      keepTick(learner, course, criterion, at)
      await this.#tell({ kind: 'module ticked', learner, course, criterion, at })
    }
  }

  /**
   * Ticks all that are left, and the course is complete with the last of them: of that request's two events the course's
   * comes first (captures 10 and 11).
   */
  async complete(learner: Learner, course: Course, at: number): Promise<void> {
    const left = leftOf(course, learner)
    for (const criterion of left) {
      keepTick(learner, course, criterion, at)
      if (criterion === left.at(-1)) await this.decide(learner, course, at, learner.id)
      await this.#tell({ kind: 'module ticked', learner, course, criterion, at })
    }
    await this.decide(learner, course, at, learner.id)
  }

  /** The course and its criteria stay complete; only an event tells of it (06, 12). */
  async untick(learner: Learner, course: Course, at: number, cmid: number): Promise<void> {
    const criterion = course.criteria.find((each) => each.cmid === cmid)
    if (criterion) await this.#tell({ kind: 'module unticked', learner, course, criterion, at })
  }

  /**
   * The course becomes complete when all its criteria are met, with the time of the latest; the event carries `eventAt`.
   * A course without criteria never does, and one that is complete does not again.
   */
  async decide(learner: Learner, course: Course, eventAt: number, causedBy: number): Promise<void> {
    const progress = progressOf(course, learner.id)
    const times = course.criteria.map(({ cmid }) => progress.ticks.get(cmid))
    const met = times.filter((time) => time !== undefined)
    if (progress.completion || met.length < times.length || met.length === 0) return
    const completionId = this.#site.number('completion')
    progress.completion = { id: completionId, at: Math.max(...met) }
    await this.#tell({ kind: 'course completed', learner, course, completionId, causedBy, at: eventAt })
  }

  /** A re-certification's first half: nothing of the course is done any more (15). */
  reset(learner: Learner, course: Course): void {
    course.progress.delete(learner.id)
  }

  /** Decides for everybody who is enrolled, in the administrator's name, as Moodle's cron does. */
  async cron(now: number): Promise<void> {
    for (const course of this.#site.courses.values())
      for (const id of course.enrolled) await this.decide(this.#site.learner(id), course, now, adminId)
  }
}

function leftOf(course: Course, learner: Learner): readonly Criterion[] {
  const { ticks } = progressOf(course, learner.id)
  return course.criteria.filter(({ cmid }) => !ticks.has(cmid))
}

// A second tick keeps the first one's time: the criterion stays met (06).
function keepTick(learner: Learner, course: Course, { cmid }: Criterion, at: number): void {
  const { ticks } = progressOf(course, learner.id)
  if (!ticks.has(cmid)) ticks.set(cmid, at)
}
