// Chooses the certificate_name under which the report shows a course: the name that a user gave, the name that the
// ledger has already seen, or the service's name for the course, which a user must confirm. Pure.

export interface CertificateChoice {
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
