// Determines which Moodle web service functions the configuration needs. Pure.

import type { AccessLine } from '#src/extensions/lms/moodle/verify-access.ts'

/** A Moodle site that only receives outcomes still needs these two read functions. */
const readByTargets = ['core_webservice_get_site_info', 'core_user_get_users_by_field']
const courseFunction = 'core_course_get_courses_by_field'

/** Returns the lines of `access` for the functions that are needed. */
export function neededOf(
  access: readonly AccessLine[],
  usage: { isQueried: boolean; hasReport: boolean; targetParts: readonly string[] },
): AccessLine[] {
  const parts: ReadonlySet<string> = new Set([
    ...(usage.isQueried ? ['reading'] : []),
    ...(usage.isQueried && usage.hasReport ? ['report'] : []),
    ...usage.targetParts,
  ])
  return access.filter(
    (line) =>
      parts.has(line.part) ||
      readByTargets.includes(line.name) ||
      (line.name === courseFunction && parts.has('assignment')),
  )
}
