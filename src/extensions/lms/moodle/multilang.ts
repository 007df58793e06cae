// Picks one language from multilingual text for Moodle's filters multilang (`<span lang="de" class="multilang">`) and
// multilang2 (`{mlang de}`), as a reader of Moodle would see it. Moodle's web services return such text raw. The rules
// follow the source code of the filters. A text is scanned only once, so the cost stays linear for a long, malicious
// text. Pure.

/** Returns the name of a language, such as `de_kids` or `pt-BR`, in the notation of Moodle: `de_kids`, `pt_br`. */
const languageCode = (language: string) => language.toLowerCase().replaceAll('-', '_').replaceAll(/\s/g, '')

/** The language and its parent languages. English is not used as a parent, as in Moodle's own filters. */
function withParents(language: string): string[] {
  const parts = languageCode(language).split('_')
  const codes = parts.map((_, index) => parts.slice(0, parts.length - index).join('_'))
  return codes.filter((code, index) => index === 0 || code !== 'en')
}

/** True when the text contains the markup of a filter, even if it cannot be resolved. */
function isMultilingual(text: string): boolean {
  return /<span\b[^<>]*\bmultilang\b|<lang\b|\{\s*mlang\b/i.test(text)
}

/**
 * Returns the text in one language, as Moodle shows it after both filters. The markup of a block without adjacent
 * blocks is removed.
 */
export function inLanguage(text: string, language: string): string {
  if (!isMultilingual(text)) return text
  return chooseSpans(chooseMlang(text, withParents(language)), withParents(language))
}

/** A section of the text for certain languages, including its markup. */
interface Block {
  start: number
  end: number
  languages: string[]
  inner: string
}

/**
 * Finds the blocks in a text.
 * @param mark matches each tag that opens or closes a block
 * @param languagesOf the languages of an opening tag; null for a closing one
 */
function blocksIn(text: string, mark: RegExp, languagesOf: (found: RegExpExecArray) => string[] | null): Block[] {
  const blocks: Block[] = []
  let open: { start: number; from: number; languages: string[] } | null = null
  for (const found of text.matchAll(mark)) {
    const [languages, end] = [languagesOf(found), found.index + found[0].length]
    // A block ends at the first closing tag; opening tags inside a block are part of its text.
    if (languages !== null) open ??= { start: found.index, from: end, languages }
    else if (open) {
      const { start, from } = open
      blocks.push({ start, end, languages: open.languages, inner: text.slice(from, found.index) })
      open = null
    }
  }
  return blocks
}

/** Replaces sections of a string. The pieces must be sorted by `start` and must not overlap. */
function replacePieces(text: string, pieces: readonly { start: number; end: number; by: string }[]): string {
  const between = pieces.map(({ start, by }, index) => text.slice(pieces[index - 1]?.end ?? 0, start) + by)
  return [...between, text.slice(pieces.at(-1)?.end ?? 0)].join('')
}

const mlangTag = /\{\s*mlang(?:\s+([a-z0-9_-]+(?:\s*,\s*[a-z0-9_-]+)*))?\s*\}/gi

/**
 * Keeps every block for the accepted languages and removes all others. If the whole text has no such block, the blocks
 * for `other` are kept.
 */
function chooseMlang(text: string, accepted: readonly string[]): string {
  const blocks = blocksIn(text, mlangTag, ([, list]) => list?.split(',').map(languageCode) ?? null)
  const isFor = ({ languages }: Block, wanted: readonly string[]) =>
    languages.some((language) => wanted.includes(language))
  const wanted = blocks.some((block) => isFor(block, accepted)) ? accepted : ['other']
  return replacePieces(
    text,
    blocks.map((block) => ({ ...block, by: isFor(block, wanted) ? block.inner : '' })),
  )
}

const spanTag =
  /<(?:span(?:\s+lang="[a-z0-9_-]+"|\s+class="multilang"){2}|lang\s+lang="[a-z0-9_-]+")\s*>|<\/(?:span|lang)>/gi

/**
 * Keeps one block of each group of adjacent blocks: that of the first accepted language, otherwise the first block. If
 * a language has several blocks, the last one counts.
 */
function chooseSpans(text: string, accepted: readonly string[]): string {
  const blocks = blocksIn(text, spanTag, ([mark]) =>
    mark.startsWith('</') ? null : [languageCode(/lang="([^"]*)"/i.exec(mark)?.[1] ?? '')],
  )
  const groups: Block[][] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    const isNext = last && text.slice(last.at(-1)?.end, block.start).trim() === ''
    if (isNext) last.push(block)
    else groups.push([block])
  }
  return replacePieces(
    text,
    groups.map((group) => {
      const texts = new Map(group.map(({ languages: [language = ''], inner }) => [language, inner]))
      const chosen = accepted.find((each) => texts.has(each)) ?? [...texts.keys()][0] ?? ''
      return { start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0, by: texts.get(chosen) ?? '' }
    }),
  )
}
