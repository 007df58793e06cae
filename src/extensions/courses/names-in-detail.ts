// Collects the names that a course's detail contains for the uuids in it. Pure.

import type { CourseDetail } from '#src/issuer/courses/course-shapes.ts'

/** Returns a map from uuid to name. */
export function namesIn(detail: CourseDetail): Map<string, string> {
  const pairs: [unknown, unknown][] = [
    [detail.category_uuid, detail.course_category],
    [detail.course_format_uuid, detail.course_format],
    [detail.currency_uuid, detail.currency_code ?? detail.currency],
    ...[...detail.templateDetails, ...detail.badgeTemplateDetail].map((each): [unknown, unknown] => [
      each.template_uuid,
      each.template_name,
    ]),
    ...languagesIn(detail.course_languages),
  ]
  return new Map(
    pairs.filter((pair): pair is [string, string] => pair.every((each) => typeof each === 'string' && each !== '')),
  )
}

// The format is not documented: items with a uuid and a name are used, anything else is ignored.
function languagesIn(shown: unknown): [unknown, unknown][] {
  if (!Array.isArray(shown)) return []
  return shown
    .filter((entry): entry is Record<string, unknown> => typeof entry === 'object' && entry !== null)
    .map((entry) => [entry.language_uuid, entry.name])
}
