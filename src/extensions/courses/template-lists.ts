// Compares the current templates of a course with the requested ones. Pure.

import type { CourseDetail } from '#src/issuer/courses/course-shapes.ts'
import { sameUuid } from '#src/platform/uuid.ts'

/** Returns the uuids of a template list of a course detail, in the order of the list. */
export function templateUuids(shown: CourseDetail['templateDetails']): string[] {
  return shown.flatMap(({ template_uuid }) => (template_uuid === null ? [] : [template_uuid]))
}

export interface TemplateSteps {
  add: string[]
  remove: string[]
}

/** Returns what to add and remove to get from `current` to `wanted`. The order of the lists is ignored. */
export function templateSteps(current: readonly string[], wanted: readonly string[]): TemplateSteps {
  const has = (list: readonly string[], uuid: string) => list.some((entry) => sameUuid(entry, uuid))
  return {
    add: wanted.filter((uuid) => !has(current, uuid)),
    remove: current.filter((uuid) => !has(wanted, uuid)),
  }
}
