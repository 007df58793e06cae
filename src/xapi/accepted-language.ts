// Which of the languages at hand a reader likes best, by Accept-Language (RFC 9110, 12.5.4), looked up as in RFC 4647, section 3.4.

/** The first of `tags` where none fits; undefined where there is none. A tag fits a shorter one that is asked for: en-GB fits en. */
export function acceptedLanguage(tags: readonly string[], accepts: string): string | undefined {
  for (const range of rangesIn(accepts))
    for (let asked = range; asked !== ''; asked = asked.slice(0, Math.max(asked.lastIndexOf('-'), 0))) {
      const found = tags.find((tag) => `${tag.toLowerCase()}-`.startsWith(`${asked}-`))
      if (found !== undefined) return found
    }
  return tags[0]
}

/** Best first, in small letters. */
function rangesIn(accepts: string): string[] {
  return accepts
    .split(',')
    .map((entry) => {
      const [range = '', quality] = entry.toLowerCase().split(/\s*;\s*q\s*=\s*/)
      return { range: range.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ range }) => range)
}
