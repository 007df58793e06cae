// Picks one language from multilingual text, by the rules of Moodle's two filters.

import { describe, expect, test } from 'vitest'
import { damageOf } from '#src/domain/recipient/damage/damage-kinds.ts'
import { inLanguage } from '#src/extensions/lms/moodle/multilang.ts'

const spanWithLangFirst = (language: string, text: string) =>
  `<span lang="${language}" class="multilang">${text}</span>`
const spanWithClassFirst = (language: string, text: string) =>
  `<span class="multilang" lang="${language}">${text}</span>`

describe('consecutive multilang spans', () => {
  const both = `${spanWithLangFirst('de', 'Brandschutz')} ${spanWithClassFirst('en', 'Fire safety')}`
  test.each([
    ['the block of the language', both, 'en', 'Fire safety'],
    ['the block of the language, regardless of case', both, 'EN', 'Fire safety'],
    ['the block of its parent language', both, 'de_kids', 'Brandschutz'],
    [
      'the block of a variant rather than of its parent',
      spanWithLangFirst('de', 'Ihr') + spanWithLangFirst('de-du', 'dein'),
      'de_du',
      'dein',
    ],
    ['the first block if neither exists', both, 'fr', 'Brandschutz'],
    ['the first block, since English is not used as a parent', both, 'en_us', 'Brandschutz'],
    [
      'the last block of a language that appears twice',
      spanWithLangFirst('en', 'a') + spanWithLangFirst('en', 'b'),
      'en',
      'b',
    ],
    [
      'one block of each group, with the text around them',
      `A ${both} – ${spanWithLangFirst('de', 'eins')}${spanWithLangFirst('en', 'one')}!`,
      'en',
      'A Fire safety – one!',
    ],
    ['the text of a single block', `${spanWithLangFirst('de', 'Ada')} Lovelace`, 'en', 'Ada Lovelace'],
    ['the block of the language in the old syntax', '<lang lang="de">Ja</lang><lang lang="en">Yes</lang>', 'en', 'Yes'],
    [
      'blocks whose tags have more spaces',
      '<span  lang="de"  class="multilang" >Ja</span><span  class="multilang"  lang="en">Yes</span><lang  lang="fr">Oui</lang>',
      'fr',
      'Oui',
    ],
    ['a block over several lines', spanWithLangFirst('de', 'a\nb') + spanWithLangFirst('en', 'c'), 'de', 'a\nb'],
    ['an empty block of the language', spanWithLangFirst('de', '') + spanWithLangFirst('en', 'c'), 'de', ''],
  ])('give %s', (_, text, language, shown) => {
    expect(inLanguage(text, language)).toBe(shown)
  })

  test.each(['<span lang="de">ohne Klasse</span>', 'A < B und C > D', '<b>fett</b>'])('do not include %s', (text) => {
    expect(inLanguage(text, 'de')).toBe(text)
  })
})

describe('blocks of {mlang}', () => {
  const both = '{mlang de}Brandschutz{mlang}{mlang en}Fire safety{mlang}'
  test.each([
    ['the block of the language', both, 'en', 'Fire safety'],
    ['the block of its parent language', both, 'de_kids', 'Brandschutz'],
    [
      'all blocks of the language, with the text between them',
      `${both} 1 {mlang en}x{mlang}{mlang other}y{mlang}`,
      'en',
      'Fire safety 1 x',
    ],
    ['nothing for a missing language', both, 'fr', ''],
    ['all blocks for other languages', `{mlang de}a{mlang}{mlang other}b{mlang} {mlang other}c{mlang}`, 'fr', 'b c'],
    [
      'the block of the language alone, if the language occurs anywhere',
      `{mlang de}a{mlang} {mlang other}c{mlang}`,
      'de',
      'a ',
    ],
    ['a block for several languages', '{mlang es, es-mx,fr}hola{mlang}{mlang other}x{mlang}', 'es_mx', 'hola'],
    ['blocks with any case and spacing', '{ MLANG  De }Ja{ mlang }', 'de', 'Ja'],
    ['a block whose languages have spaces between them', '{mlang es , fr}hola{mlang}', 'fr', 'hola'],
    [
      'the block for other languages, since English is not used as a parent',
      '{mlang en}a{mlang}{mlang other}b{mlang}',
      'en_us',
      'b',
    ],
    [
      'the span of the language within the chosen block',
      `{mlang de}${spanWithLangFirst('de', 'a')}${spanWithLangFirst('en', 'b')}{mlang}`,
      'de',
      'a',
    ],
  ])('give %s', (_, text, language, shown) => {
    expect(inLanguage(text, language)).toBe(shown)
  })

  test('that are not closed are left unchanged', () => {
    expect(inLanguage('{mlang de}Brandschutz', 'de')).toBe('{mlang de}Brandschutz')
  })
})

test('a long text is processed like a short one', () => {
  const long = 'x'.repeat(6_000)
  expect(inLanguage(`{mlang de}${long}{mlang}{mlang en}y{mlang}`, 'de')).toBe(long)
  expect(inLanguage(`${long}${spanWithLangFirst('de', 'a')}${spanWithLangFirst('en', 'b')}`, 'en')).toBe(`${long}b`)
})

test.each([
  '{mlang a}',
  '{ mlang a',
  '{mlang a,',
  spanWithLangFirst('a', '').slice(0, -7),
  '<span ',
  '<span lang="',
  '<lang lang="a',
  '{\t',
  ' </span> ',
])('a text that only repeats %j takes linear time', (part) => {
  // Three million characters: a search from each tag to the end would take hours.
  const text = part.repeat(3_000_000 / part.length)
  expect(inLanguage(text, 'de')).toHaveLength(text.length)
  const cell = { use: 'text', kind: undefined, fromColumn: true, isOption: false } as const
  expect(damageOf({ ...cell, value: `${text}{mlang x}` })?.rule).toBe('several_languages')
})
