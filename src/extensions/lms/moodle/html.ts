// HTML helpers for Moodle: decodes entities in responses, escapes text in markup, and compares comments as a reader
// sees them. Pure.

const namedEntities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '\u2013',
  mdash: '\u2014',
  hellip: '\u2026',
}

/**
 * Decodes the entities in a string, once. Moodle escapes names: `Müller &amp; Søn`, `O&#039;Neill`. Named entities that
 * are not listed above are left unchanged, since Moodle does not escape letters.
 */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(namedEntities, name) ? (namedEntities[name] ?? whole) : whole
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isSurrogate = point >= 0xd800 && point <= 0xdfff
    return point > 0 && point <= 0x10ffff && !isSurrogate ? String.fromCodePoint(point) : whole
  })
}

/** Markup that is safe to send to Moodle. Only the tag `moodleHtml` creates it, so no value is left unescaped. */
export class Html {
  readonly #markup: string
  private constructor(markup: string) {
    this.#markup = markup
  }

  static of(strings: TemplateStringsArray, values: readonly string[]): Html {
    return new Html(strings.reduce((markup, part, i) => `${markup}${escapeText(values[i - 1] ?? '')}${part}`))
  }

  get markup(): string {
    return this.#markup
  }
}

/** A template tag: the template is markup, and every value is escaped, for use in elements and in quoted attributes. */
export function moodleHtml(strings: TemplateStringsArray, ...values: string[]): Html {
  return Html.of(strings, values)
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/**
 * True when two pieces of markup show the same text and link to the same URLs: Moodle adds wrapper elements and encodes
 * entities differently.
 */
export function showsTheSame(one: string, other: string): boolean {
  return JSON.stringify([plainTextOf(one), linksOf(one)]) === JSON.stringify([plainTextOf(other), linksOf(other)])
}

/** The text between the tags, with entities decoded and white space collapsed. */
export function plainTextOf(markup: string): string {
  return decodeEntities(markup.replace(/<[^<>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
}

function linksOf(markup: string): string[] {
  return [...markup.matchAll(/<a\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map((match) =>
    decodeEntities(match[1] ?? match[2] ?? ''),
  )
}
