// Looks up the service's name for a course and checks that no other course has the same name. Only such a name may be
// proposed for the course's items in the report. Calls the service.

import { foldedText } from '#src/domain/credential/person-index.ts'

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

// Chooses the certificate_name under which the report shows a course: the name that a user gave, the name that the
// ledger has already seen, or the service's name for the course, which a user must confirm. Pure.

interface CertificateChoice {
  /** Null if unknown. */
  name: string | null
  /** No one has given the name and the ledger has not seen it, so a user must confirm it. */
  proposed: boolean
  /** Why the given name is not accepted; null if it is. */
  refusal: string | null
}

/**
 * Returns the name to search the report by, whether a user must still confirm it, or why the given name is refused.
 * @param names.given the name that a user gave
 * @param names.known names under which the ledger has seen this course
 * @param names.courseName the service's name for the course; null if another course may have the same name
 * @param otherCourses other courses that the ledger has seen under `given` or, if no name was given, under `courseName`
 */
export function chooseCertificate(
  { given, known, courseName }: { given: string | undefined; known: readonly string[]; courseName: string | null },
  otherCourses: readonly string[],
): CertificateChoice {
  if (given !== undefined)
    return otherCourses.length === 0
      ? { name: given, proposed: false, refusal: null }
      : {
          name: null,
          proposed: false,
          refusal: `The report shows another course of this ledger as “${given}” (${otherCourses.join(', ')}). Nothing was changed.`,
        }
  const [knownName, ...others] = known
  if (knownName !== undefined && others.length === 0) return { name: knownName, proposed: false, refusal: null }
  const name = otherCourses.length === 0 ? courseName : null
  return { name, proposed: name !== null, refusal: null }
}
