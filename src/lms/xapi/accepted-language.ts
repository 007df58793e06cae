// Selects the best available language for the header Accept-Language (RFC 9110, 12.5.4), by the lookup of RFC 4647,
// section 3.4. Pure.

/**
 * Returns the best match in `tags`, or the first tag when none matches; undefined when there are no tags. A tag matches
 * a shorter range: en-GB matches en.
 */
export function acceptedLanguage(tags: readonly string[], accepts: string): string | undefined {
  for (const range of rangesIn(accepts))
    for (let prefix = range; prefix !== ''; prefix = prefix.slice(0, Math.max(prefix.lastIndexOf('-'), 0))) {
      const found = tags.find((tag) => `${tag.toLowerCase()}-`.startsWith(`${prefix}-`))
      if (found !== undefined) return found
    }
  return tags[0]
}

/** Parses the language ranges in order of preference, in lower case. */
function rangesIn(accepts: string): string[] {
  return accepts
    .split(',')
    .map((entry) => {
      const [range = '', quality] = entry.toLowerCase().split(/;\s*q\s*=/)
      return { range: range.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ range }) => range)
}
