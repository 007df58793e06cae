// Looks up the service's name for a course and checks that no other course has the same name. Only such a name may be
// proposed for the course's items in the report. Calls the service.

import { foldedText } from '#src/domain/credential/folded-text.ts'

export interface NamedCourses {
  courseDetail(uuid: string): Promise<{ course_name: string | null }>
  /** Every course of the service; the last page is marked `cut` if there are more. */
  listCourses(): AsyncIterable<{ items: readonly { course_name: string | null }[]; walk: 'more' | 'complete' | 'cut' }>
}

/**
 * Null if the course has no name, or if another course may have the same one: the report shows names but no course ids,
 * so the two courses could not be distinguished.
 * @throws whatever the service's client throws
 */
export async function uniqueCourseName(service: NamedCourses, course: string): Promise<string | null> {
  const { course_name: name } = await service.courseDetail(course)
  const wanted = foldedText(name ?? '')
  if (wanted === '') return null
  let sameName = 0
  for await (const { items, walk } of service.listCourses()) {
    sameName += items.filter((item) => foldedText(item.course_name ?? '') === wanted).length
    if (sameName > 1 || walk === 'cut') return null
  }
  return name
}
