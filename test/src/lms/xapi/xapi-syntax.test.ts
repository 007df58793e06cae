// The syntax that xAPI takes from other standards: timestamps, durations, language tags, versions and JSON.

import { describe, expect, test } from 'vitest'
import { acceptedLanguage } from '#src/lms/xapi/accepted-language.ts'
import { isDuration } from '#src/lms/xapi/duration.ts'
import { editionOf } from '#src/lms/xapi/edition.ts'
import { parseJson } from '#src/lms/xapi/json.ts'
import { isLanguageTag } from '#src/lms/xapi/language-tag.ts'
import { instantOf, isRfc3339 } from '#src/lms/xapi/timestamp.ts'

describe('a timestamp', () => {
  test.each([
    ['2026-11-21T00:02:57.000Z', '2026-11-21T00:02:57.000Z'],
    ['2026-11-21T00:02:57Z', '2026-11-21T00:02:57.000Z'],
    ['2026-11-21T00:02:57.123456+00:00', '2026-11-21T00:02:57.123Z'],
    ['2026-11-21T05:32:57+05:30', '2026-11-21T00:02:57.000Z'],
    ['2026-11-20T16:02:57-08:00', '2026-11-21T00:02:57.000Z'],
    ['2026-11-20T16:02:57-0800', '2026-11-21T00:02:57.000Z'],
    ['2026-11-20T16:02:57-08', '2026-11-21T00:02:57.000Z'],
    ['2008-09-15 15:53:00.601+00:00', '2008-09-15T15:53:00.601Z'],
    ['20080915T155300,601Z', '2008-09-15T15:53:00.601Z'],
    ['2026-11-21T00:02', '2026-11-21T00:02:00.000Z'],
    ['20080915T1553Z', '2008-09-15T15:53:00.000Z'],
    ['20080915T155300', '2008-09-15T15:53:00.000Z'],
    ['20080915T155300-0830', '2008-09-16T00:23:00.000Z'],
    ['20080915T155300+08', '2008-09-15T07:53:00.000Z'],
    ['20080915T155300.25Z', '2008-09-15T15:53:00.250Z'],
    ['2026-11-20T23:01:57-01:01', '2026-11-21T00:02:57.000Z'],
    ['2026-11-21T23:58:59+23:59', '2026-11-20T23:59:59.000Z'],
    ['2026-12-31T23:59:60.5Z', '2027-01-01T00:00:00.500Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z'],
  ])('%s is the time %s', (text, instant) => {
    expect(new Date(instantOf(text) ?? 0).toISOString()).toBe(instant)
  })

  test.each([
    ...['should fail', '01/011/2015', '2026-11-21', '2026-11-21T', '2026-13-01T00:00:00Z', '2026-02-29T00:00:00Z'],
    ...['2026-11-21T24:00:00Z', '2026-11-21T00:60:00Z', '2026-11-21T00:00:00+24:00', '2026-11-21T00:00:00+00:60'],
    ...['2008-09-15T15:53:00.601-00', '2008-09-15T15:53:00.601-0000', '2008-09-15T15:53:00.601-00:00'],
    ...['2026-00-21T00:00:00Z', '2026-11-00T00:00:00Z', '2026-11-21T00:00:61Z', 'x2026-11-21T00:02:57Z'],
    ...['20080915T155300Zx', 'x20080915T155300Z', '20080915T155300,Z', '20080915T155300+8', '20080915T15530Z'],
    ...['2026-11-21T00:02:57.Z', '2026-11-21T00:02:57Z ', '1795219377', ''],
  ])('is not %j', (text) => {
    expect(instantOf(text)).toBeNull()
  })

  test.each([
    ['2026-11-21T00:02:57Z', true],
    ['2026-11-21 00:02:57.5+01:00', true],
    ['2026-11-21T00:02:57', false],
    ['2026-11-21T00:02Z', false],
    ['2026-11-21T00:02:57+0100', false],
    ['2026-11-21T00:02:57-00:00', false],
  ])('whether %s is valid according to RFC 3339: %s', (text, expected) => {
    expect(isRfc3339(text)).toBe(expected)
  })
})

test.each([
  ...['PT4H35M59.14S', 'PT16559.14S', 'P3Y1M29DT4H35M59.14S', 'P3Y', 'P4W', 'PT1H0M0S', 'PT0,5H', 'P1M', 'PT1M'],
])('%s is a duration', (text) => {
  expect(isDuration(text)).toBe(true)
})

test.each([
  ...[
    'should fail',
    'PA1H0M0S',
    'P4W1D',
    'P',
    'PT',
    'P1DT',
    '1D',
    'PT1.5H3M',
    'P0003-01-29T04:35:59',
    'PT1S2M',
    'PT1.2.3S',
  ],
])('%s is not a duration', (text) => {
  expect(isDuration(text)).toBe(false)
})

test.each([
  ...['en', 'en-US', 'de-CH-1996', 'es-419', 'zh-Hant-HK', 'zh-cmn-Hans-CN', 'ase', 'tlh', 'x-klingon', 'i-klingon'],
  ...['sl-rozaj-biske', 'en-a-myext-b-another', 'de-x-phonebk', 'EN-us', 'sgn-BE-FR', 'en-GB-oed'],
])('%s is a language tag', (text) => {
  expect(isLanguageTag(text)).toBe(true)
})

test.each([
  ...[
    '',
    'a12345',
    'en_US',
    'de-419-DE',
    'a-DE',
    'zh-z-aaa-z-bbb-c-ccc',
    'de-rozaj-rozaj',
    'en-',
    'x',
    'en-US-',
    'englishes',
  ],
])('%j is not a language tag', (text) => {
  expect(isLanguageTag(text)).toBe(false)
})

test.each([
  ['1.0', '1.0'],
  ['1.0.3', '1.0'],
  ['2.0', '2.0'],
  ['2.0.0', '2.0'],
  ['1.1.0', null],
  ['0.95', null],
  ['1.0.4-rc.1', '1.0'],
  ['1.0.3.1', null],
  ['1.0.3-', null],
  ['', null],
])('the edition of version %j is %j', (version, edition) => {
  expect(editionOf(version)).toBe(edition)
})

test.each<[string, string[], string | undefined]>([
  ['en-GB', ['en-US', 'en-GB'], 'en-GB'],
  ['EN-gb', ['en-US', 'en-GB'], 'en-GB'],
  ['en', ['de', 'en-US', 'en-GB'], 'en-US'],
  ['en-AU', ['de', 'en-US'], 'en-US'],
  ['zh-Hant-HK', ['de', 'zh', 'zh-Hant'], 'zh-Hant'],
  ['fr;q=0.2, de ; q=0.8, en;q=0', ['en', 'fr', 'de'], 'de'],
  ['en;q=0', ['de', 'en'], 'de'],
  ['e', ['de', 'en'], 'de'],
  ['*', ['de', 'en'], 'de'],
  ['', ['de', 'en'], 'de'],
  ['en', [], undefined],
])('for the Accept-Language %j and the available languages %j, the choice is %s', (accepts, tags, expected) => {
  expect(acceptedLanguage(tags, accepts)).toBe(expected)
})

describe('untrusted JSON', () => {
  test('is parsed up to a generous depth', () => {
    const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
    expect(JSON.stringify(parseJson(nested(100)))).toBe(nested(100).toString())
    expect(parseJson(nested(100_000))).toBeUndefined()
  })

  test('is rejected if it is not UTF-8 or not JSON', () => {
    expect(parseJson(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined()
    expect(parseJson(Buffer.from('{'))).toBeUndefined()
    expect(parseJson(Buffer.from('"ü"'))).toBe('ü')
  })
})
