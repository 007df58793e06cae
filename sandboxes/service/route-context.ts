// The data and services that all endpoints share, created when the sandbox opens and passed to every route.

import type { Clock } from '#sandboxes/clock.ts'
import type { CourseRecord } from './course.ts'
import type { CourseStore } from './course-store.ts'
import type { Journal } from './journal.ts'
import { SandboxRefusal } from './refusal.ts'
import type { RequestStore } from './request-store.ts'
import type { SandboxSettings } from './settings.ts'
import type { TokenStore } from './token-store.ts'

export interface RouteContext {
  readonly settings: SandboxSettings
  readonly clock: Clock
  readonly journal: Journal
  readonly tokens: TokenStore
  /** The monotonic time of opening, to which the windows of faults are relative. */
  readonly openedMs: number
  readonly courses: CourseStore
  readonly requests: RequestStore
}

/** @throws SandboxRefusal 404 if there is no such course */
export function courseNamed(context: RouteContext, uuid: string): CourseRecord {
  const course = context.courses.find(uuid)
  if (!course) throw new SandboxRefusal(404, 'Not found: there is no such course.')
  return course
}
