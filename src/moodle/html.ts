// HTML on both ways: entities out of what Moodle says, escaped text into what we write, and what a reader sees of a comment.

const named: Record<string, string> = {
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
 * Text with its entities resolved, once: `M\u00fcller &amp; S\u00f8n` and `O&#039;Neill` are what Moodle's escaping makes of names. Other
 * named entities stay as they are, since Moodle keeps letters as letters.
 */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isHalf = point >= 0xd800 && point <= 0xdfff
    return point > 0 && point <= 0x10ffff && !isHalf ? String.fromCodePoint(point) : whole
  })
}

/** Markup that is safe to hand to Moodle: made by `html` only, so that no value gets in unescaped. */
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

/** Template tag: what is written stays markup, every value becomes text, in an element as in a quoted attribute. */
export function html(strings: TemplateStringsArray, ...values: string[]): Html {
  return Html.of(strings, values)
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Whether two pieces of markup show the same words and lead to the same addresses: Moodle adds wrappers and writes entities its own way. */
export function showsTheSame(one: string, other: string): boolean {
  return JSON.stringify([wordsOf(one), linksOf(one)]) === JSON.stringify([wordsOf(other), linksOf(other)])
}

/** The words between the tags, entities resolved, white space folded. */
export function wordsOf(markup: string): string {
  return decodeEntities(markup.replace(/<[^<>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
}

function linksOf(markup: string): string[] {
  return [...markup.matchAll(/<a\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map((match) =>
    decodeEntities(match[1] ?? match[2] ?? ''),
  )
}
