// Which functions of a Moodle the configuration needs, and what the role of its account must be allowed for them. Pure.

import type { FileSettings } from '#config/schema.ts'
import type { AccessLine } from '#src/moodle/verify-access.ts'

type Part = AccessLine['part']

/** Of a Moodle that is only told, these two of the reading ones. */
const readOfATarget = ['core_webservice_get_site_info', 'core_user_get_users_by_field']
const findsCourse = 'core_course_get_courses_by_field'

/** The lines of `access` that matter for the system called `name`. */
export function neededOf(
  { systems, pipelines }: FileSettings,
  name: string,
  access: readonly AccessLine[],
): AccessLine[] {
  const all = Object.values(pipelines)
  const isAsked =
    all.some(({ source }) => source && 'system' in source && source.system === name) ||
    Object.values(systems).some((system) => 'confirm' in system && system.confirm === name)
  const told = new Set(
    all.flatMap(({ writeBack }) =>
      writeBack.flatMap((each) => ('system' in each && each.system === name ? each.to : [])),
    ),
  )
  const system = systems[name]
  const parts: ReadonlySet<Part> = new Set<Part>([
    ...(isAsked ? (['reading'] as const) : []),
    ...(isAsked && system?.type === 'moodle' && system.report !== undefined ? (['report'] as const) : []),
    ...(told.has('moodle-profile') ? (['profile'] as const) : []),
    ...(told.has('moodle-assignment') ? (['assignment'] as const) : []),
  ])
  return access.filter(
    (line) =>
      parts.has(line.part) ||
      readOfATarget.includes(line.name) ||
      (line.name === findsCourse && parts.has('assignment')),
  )
}
