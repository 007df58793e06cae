// Finds the next page of a list in the Link header of a response (RFC 8288). LTI Assignment and Grade Services 2.0 and
// Canvas paginate this way. Pure.

/**
 * Returns the URL of the next page, resolved against `base`; null when there is none. Accepts the malformed headers
 * that platforms are known to send: Moodle puts the relation in typographic quotation marks, and starts the value with
 * another `Link:`.
 */
export function nextPage(header: string | undefined, base: string): string | null {
  for (const match of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    // The characters around `next` are ignored, because each typographic quotation mark arrives as three bytes.
    if (/;\s*rel\s*=[^a-z;,-]*(?:[a-z-]+\s+)*next\b/i.test(match[2] ?? ''))
      return URL.parse(match[1] ?? '', base)?.href ?? null
  }
  return null
}
