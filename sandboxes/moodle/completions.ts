// Completes courses, in a learner's request or by cron, and emits the events that follow. Changes the site in memory.

import type { SiteEvent } from './events/site-event.ts'
import type { Criterion, SiteCourse, SiteLearner } from './records.ts'
import { adminId, progressOf, type Site } from './site.ts'

/**
 * Called for each event in turn and awaited, because Moodle sends events within the learner's request (section 1.3).
 */
export type EmitEvent = (event: SiteEvent) => Promise<void>

export class Completions {
  readonly #site: Site
  readonly #emit: EmitEvent

  constructor(site: Site, emit: EmitEvent) {
    this.#site = site
    this.#emit = emit
  }

  /**
   * Ticks the course module `cmid`, or every unticked one if it is null. Cron decides later whether the course is
   * complete.
   */
  async tick(learner: SiteLearner, course: SiteCourse, at: number, cmid: number | null): Promise<void> {
    const criteria = cmid === null ? untickedOf(course, learner) : course.criteria.filter((each) => each.cmid === cmid)
    for (const criterion of criteria) {
      recordTick(learner, course, criterion, at)
      await this.#emit({ kind: 'module ticked', learner, course, criterion, at })
    }
  }

  /**
   * Ticks every unticked module; the last one completes the course. In that request the event of the course is sent
   * before the event of the module (captures 10 and 11).
   */
  async complete(learner: SiteLearner, course: SiteCourse, at: number): Promise<void> {
    const unticked = untickedOf(course, learner)
    for (const criterion of unticked) {
      recordTick(learner, course, criterion, at)
      if (criterion === unticked.at(-1)) await this.decide(learner, course, at, learner.id)
      await this.#emit({ kind: 'module ticked', learner, course, criterion, at })
    }
    await this.decide(learner, course, at, learner.id)
  }

  /** Only sends an event: the course and its criteria stay complete (captures 06 and 12). */
  async untick(learner: SiteLearner, course: SiteCourse, at: number, cmid: number): Promise<void> {
    const criterion = course.criteria.find((each) => each.cmid === cmid)
    if (criterion) await this.#emit({ kind: 'module unticked', learner, course, criterion, at })
  }

  /**
   * Completes the course if all its criteria are met, at the time of the latest criterion; the event has the time
   * `eventAt`. A course without criteria never completes, and a complete course does not complete again.
   */
  async decide(learner: SiteLearner, course: SiteCourse, eventAt: number, causedBy: number): Promise<void> {
    const progress = progressOf(course, learner.id)
    const times = course.criteria.map(({ cmid }) => progress.ticks.get(cmid))
    const met = times.filter((time) => time !== undefined)
    if (progress.completion || met.length < times.length || met.length === 0) return
    const completionId = this.#site.nextId('completion')
    progress.completion = { id: completionId, at: Math.max(...met) }
    await this.#emit({ kind: 'course completed', learner, course, completionId, causedBy, at: eventAt })
  }

  /** Deletes all progress in the course, which is the first step of a re-certification (capture 15). */
  reset(learner: SiteLearner, course: SiteCourse): void {
    course.progress.delete(learner.id)
  }

  /** Decides the completion of every enrolled learner, in the name of the administrator, as Moodle's cron does. */
  async cron(now: number): Promise<void> {
    for (const course of this.#site.courses.values())
      for (const id of course.enrolled) await this.decide(this.#site.learner(id), course, now, adminId)
  }
}

function untickedOf(course: SiteCourse, learner: SiteLearner): readonly Criterion[] {
  const { ticks } = progressOf(course, learner.id)
  return course.criteria.filter(({ cmid }) => !ticks.has(cmid))
}

// A second tick does not change the time of the first: the criterion was already met (capture 06).
function recordTick(learner: SiteLearner, course: SiteCourse, { cmid }: Criterion, at: number): void {
  const { ticks } = progressOf(course, learner.id)
  if (!ticks.has(cmid)) ticks.set(cmid, at)
}
