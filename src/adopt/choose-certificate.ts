// Under which certificate_name the report shows a course: as the ledger has learned it, or as a person says. Nobody guesses.

export interface CertificateChoice {
  /** Null when nobody knows. */
  name: string | null
  /** Why the name that was given cannot be; null when it can. */
  refusal: string | null
}

/**
 * Pure.
 * @param asked what a person said
 * @param known names under which the ledger has seen this course
 * @param elsewhere other courses that the ledger has seen under the name that was asked for
 */
export function chooseCertificate(
  asked: string | undefined,
  known: readonly string[],
  elsewhere: readonly string[],
): CertificateChoice {
  if (asked === undefined) return { name: known.length === 1 ? (known[0] ?? null) : null, refusal: null }
  if (elsewhere.length > 0)
    return {
      name: null,
      refusal: `The report shows another course of this ledger as “${asked}” (${elsewhere.join(', ')}). Nothing was changed.`,
    }
  return { name: asked, refusal: null }
}
