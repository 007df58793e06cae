// The filters with which a Moodle site shows one language of a heading, modeled on the source code of filter_multilang
// and filter_multilang2. The sandbox supports only the usual spelling of each. If a filter is off, the tags of
// filter_multilang are removed like any tag, and those of filter_multilang2 are left in the text. Pure.

export type SiteLanguage = 'en' | 'de'

export type LanguageFilter = 'multilang' | 'multilang2'

export function filteredHeading(text: string, filters: readonly LanguageFilter[], language: SiteLanguage): string {
  const spans = filters.includes('multilang') ? inSpans(text, language) : text
  const shown = filters.includes('multilang2') ? inBraces(spans, language) : spans
  return shown.replaceAll(/<[^<>]*>/g, '')
}

/** Reduces adjacent spans to the one in the language, or else to the first; a single span is not a translation. */
function inSpans(text: string, language: SiteLanguage): string {
  const parts = text.split('<span lang="')
  const [before = '', ...blocks] = parts
  if (blocks.length < 2) return text
  const read = blocks.map((block) => {
    const [code = '', rest = ''] = block.split('" class="multilang">')
    const [inner = '', after = ''] = rest.split('</span>')
    return { code, inner, after }
  })
  const chosen = read.find(({ code }) => code === language) ?? read[0]
  return `${before}${chosen?.inner ?? ''}${read.at(-1)?.after ?? ''}`
}

/** Keeps all blocks in the language; if there are none, all blocks for `other`. */
function inBraces(text: string, language: SiteLanguage): string {
  const parts = text.split('{mlang}')
  const wanted = text.includes(`{mlang ${language}}`) ? language : 'other'
  return parts
    .map((part) => {
      const [before = '', block] = part.split('{mlang ')
      const [code, inner = ''] = (block ?? '').split('}')
      return block !== undefined && code === wanted ? before + inner : before
    })
    .join('')
}
