// The courses of one sandbox, in the order in which they came.

import type { SandboxSettings } from '#src/sandbox/settings.ts'
import { uuidFor } from '#src/sandbox/uuid.ts'
import type { Clock } from '#src/time/clock.ts'
import { type Standing, standingAt, verdictOn } from './audit.ts'
import { type Course, type CourseParts, courseOf } from './course.ts'

export class CourseBook {
  readonly #settings: SandboxSettings
  readonly #clock: Clock
  readonly #byUuid: Map<string, Course>
  #created = 0

  constructor(settings: SandboxSettings, clock: Clock, seeded: readonly Course[]) {
    this.#settings = settings
    this.#clock = clock
    this.#byUuid = new Map(seeded.map((course) => [course.uuid, course]))
  }

  all(): readonly Course[] {
    return [...this.#byUuid.values()]
  }

  find(uuid: string): Course | undefined {
    return this.#byUuid.get(uuid)
  }

  standing(course: Course): Standing {
    return standingAt(course.audit, this.#settings.auditPace, this.#clock.monotonicMs())
  }

  /** A new course, enabled, that awaits its audit. Its uuid follows from the seed and its number. */
  create(parts: Omit<CourseParts, 'uuid' | 'audit' | 'enabled'>): Course {
    const uuid = uuidFor(`${this.#settings.seed} course ${this.#created++}`)
    const audit = { submittedMs: this.#clock.monotonicMs(), verdict: verdictOn(parts.sheet.name) }
    return this.#keep({ ...parts, uuid, audit, enabled: true })
  }

  /** The same course with other parts, at its old place. */
  change(course: Course, parts: Partial<Omit<CourseParts, 'uuid'>>): Course {
    return this.#keep({ ...course, ...parts })
  }

  #keep(parts: CourseParts): Course {
    const course = courseOf(parts)
    this.#byUuid.set(course.uuid, course)
    return course
  }
}
