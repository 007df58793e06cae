// Stores the courses of one sandbox in memory, in order of creation.

import type { Clock } from '#sandboxes/clock.ts'
import { type AuditState, auditStateAt } from './audit.ts'
import { type CourseParts, type CourseRecord, courseOf } from './course.ts'
import type { SandboxSettings } from './settings.ts'
import { uuidFor } from './uuid.ts'

export class CourseStore {
  readonly #settings: SandboxSettings
  readonly #clock: Clock
  readonly #byUuid: Map<string, CourseRecord>
  #created = 0

  constructor(settings: SandboxSettings, clock: Clock, seeded: readonly CourseRecord[]) {
    this.#settings = settings
    this.#clock = clock
    this.#byUuid = new Map(seeded.map((course) => [course.uuid, course]))
  }

  all(): readonly CourseRecord[] {
    return [...this.#byUuid.values()]
  }

  find(uuid: string): CourseRecord | undefined {
    return this.#byUuid.get(uuid)
  }

  statusOf(course: CourseRecord): AuditState {
    return auditStateAt(course.audit, this.#settings.auditPace, this.#clock.monotonicMs())
  }

  /** Creates a course that is enabled and waits for its audit. The uuid is derived from the seed and a counter. */
  create(parts: Omit<CourseParts, 'uuid' | 'audit' | 'enabled'>): CourseRecord {
    const uuid = uuidFor(`${this.#settings.seed} course ${this.#created++}`)
    const audit = { submittedMs: this.#clock.monotonicMs() }
    return this.#keep({ ...parts, uuid, audit, enabled: true })
  }

  /** Replaces parts of a course, keeping its position. */
  change(course: CourseRecord, parts: Partial<Omit<CourseParts, 'uuid'>>): CourseRecord {
    return this.#keep({ ...course, ...parts })
  }

  #keep(parts: CourseParts): CourseRecord {
    const course = courseOf(parts)
    this.#byUuid.set(course.uuid, course)
    return course
  }
}
