// Where a list goes on, by the Link header of its answer (RFC 8288; LTI Assignment and Grade Services 2.0 and Canvas page so).

/**
 * The address of the next page, made whole by `base`; null when there is none. Forgives what platforms are known to do: Moodle writes the
 * relation in typographic quotation marks, and begins the value with `Link:` again.
 */
export function nextPage(header: string | undefined, base: string): string | null {
  for (const match of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    // What stands around the word is not looked at: such quotation marks arrive as three bytes each.
    if (/;\s*rel\s*=[^a-z;,]*(?:[a-z-]+\s+)*next\b/i.test(match[2] ?? ''))
      return URL.parse(match[1] ?? '', base)?.href ?? null
  }
  return null
}
