// The templates of a course, as they are and as they shall be. Pure.

import type { CourseDetail } from '#src/issuer/course-shapes.ts'

/** The uuids of either list of a detail, in its order. */
export function templateUuids(shown: CourseDetail['templateDetails']): string[] {
  return shown.flatMap(({ template_uuid }) => (template_uuid === null ? [] : [template_uuid]))
}

export interface TemplateSteps {
  add: string[]
  remove: string[]
}

/** What to add and remove to come from `current` to `wanted`; the order of a list means nothing. */
export function templateSteps(current: readonly string[], wanted: readonly string[]): TemplateSteps {
  const has = (list: readonly string[], uuid: string) => list.some((each) => sameUuid(each, uuid))
  return {
    add: wanted.filter((uuid) => !has(current, uuid)),
    remove: current.filter((uuid) => !has(wanted, uuid)),
  }
}

export function sameUuid(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
