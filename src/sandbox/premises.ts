// What the endpoints share: one bundle, made when the sandbox opens and handed to every route.

import type { Clock } from '#src/time/clock.ts'
import type { Course } from './course/course.ts'
import type { CourseBook } from './course/course-book.ts'
import type { Journal } from './journal.ts'
import { Refusal } from './refusal.ts'
import type { RequestBook } from './request-book.ts'
import type { SandboxSettings } from './settings.ts'
import type { TokenBook } from './token-book.ts'

export interface Premises {
  readonly settings: SandboxSettings
  readonly clock: Clock
  readonly journal: Journal
  readonly tokens: TokenBook
  /** The monotonic moment of opening: the zero of every window in the mischief. */
  readonly openedMs: number
  readonly courses: CourseBook
  readonly requests: RequestBook
}

/** @throws Refusal 404 when there is no such course. */
export function courseNamed(premises: Premises, uuid: string): Course {
  const course = premises.courses.find(uuid)
  if (!course) throw new Refusal(404, 'Not found: there is no such course.')
  return course
}
