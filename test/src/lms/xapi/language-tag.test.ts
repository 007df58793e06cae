// Which language tags are well-formed, which languages a reader gets, and which versions there are.

import { expect, test } from 'vitest'
import { acceptedLanguage } from '#src/lms/xapi/accepted-language.ts'
import { answerVersion, editionOf } from '#src/lms/xapi/edition.ts'
import { isLanguageTag } from '#src/lms/xapi/language-tag.ts'

test.each([
  ...[
    'en',
    'de-CH',
    'deu',
    'zh-yue',
    'zh-yue-abc-def',
    'abcd',
    'abcdefgh',
    'sr-Latn',
    'sr-Latn-RS',
    'es-419',
    'de-1996',
  ],
  ...[
    'sl-rozaj-biske',
    'de-u-co-phonebk',
    'de-a-bb-cc-b-dd',
    'en-x-a',
    'en-x-12345678-b',
    'x-whatever',
    'x-a-b',
    'i-klingon',
  ],
  ...['sgn-BE-FR', 'EN', 'de-DE-u-co-phonebk-x-a'],
])('%s is well-formed', (tag) => {
  expect(isLanguageTag(tag)).toBe(true)
})

test.each([
  ...['', 'e', 'abcdefghi', 'en-', '-en', 'en_US', 'en-a', 'en-x', 'x', 'x-', 'en-x-123456789', 'x-123456789'],
  ...['de-rozaj-rozaj', 'de-a-bb-a-cc', 'en-12', 'en-1', 'i-other', 'en US', 'ax-b', 'en-x-a-', 'zh-aaa-bbb-ccc-ddd'],
])('%j is not', (tag) => {
  expect(isLanguageTag(tag)).toBe(false)
})

test.each<[string[], string, string | undefined]>([
  [['de', 'en-GB'], 'en', 'en-GB'],
  [['de', 'en-GB'], 'en-GB', 'en-GB'],
  [['de', 'en'], 'en-US', 'en'],
  [['de', 'ens'], 'en', 'de'],
  [['de', 'en'], 'de;q=0.1, EN;q=0.9', 'en'],
  [['de', 'en'], 'en;q=0', 'de'],
  [['de', 'fr', 'en'], ' fr ; q = 0.5 , en ;q=0.4', 'fr'],
  [['de', 'en'], '', 'de'],
  [[], 'en', undefined],
])('of %j, a reader who accepts %j gets %j', (tags, accepts, language) => {
  expect(acceptedLanguage(tags, accepts)).toBe(language)
})

test.each([
  ['1.0', '1.0'],
  ['1.0.3', '1.0'],
  ['1.0.12', '1.0'],
  ['2.0.0-beta.1', '2.0'],
  ['2.0.10+build', '2.0'],
  ['1.1', null],
  ['3.0', null],
  ['v1.0', null],
  ['1.0.', null],
  ['1.0.3 ', null],
])('the version %j is of the edition %j', (version, edition) => {
  expect(editionOf(version)).toBe(edition)
})

test('a response has the latest version of the edition, or of the one that the sender used last', () => {
  expect(answerVersion('1.0.1')).toBe('1.0.3')
  expect(answerVersion('9.9', { edition: '2.0' })).toBe('2.0.0')
  expect(answerVersion(undefined)).toBe('1.0.3')
})
