// What cleaning removes from a value, and what it keeps.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanText } from '#src/domain/recipient/clean-text.ts'
import { growth, linear } from '#test/support/cpu-growth.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

describe('a value', () => {
  test.each([
    ['spaces at its ends', '  Ada ', 'Ada'],
    ['spaces at its beginning only', '  Ada', 'Ada'],
    ['a joiner after an invisible mark', 'Ada\u034f\u200d', 'Ada'],
    ['tabs and line ends at its ends', '\tAda\r\n', 'Ada'],
    ['no-break spaces at its ends', '\u00a0Ada\u00a0', 'Ada'],
    ['zero-width spaces at its ends', '\u200bAda\u200b', 'Ada'],
    ['byte order marks at its ends', '\ufeffAda\ufeff', 'Ada'],
    ['a mixture of these at its ends', '\ufeff \u200b\u00a0Ada \u00a0\u200b', 'Ada'],
    ['everything if nothing visible is left', ' \u200b\ufeff\u00a0', ''],
    ['direction marks at its ends', '\u200e\u202aR-123\u202c\u200e', 'R-123'],
    ['a soft hyphen and a word joiner at its end', 'R-123\u00ad\u2060', 'R-123'],
    ['joiners that join nothing', '\u200dR-123\u200d', 'R-123'],
    ['invisible characters next to a space at its end', 'Ada \u200e \u2060', 'Ada'],
    ['an invisible character beyond U+FFFF', 'Ada\u{e0001}', 'Ada'],
  ])('loses %s', (_, text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned)
  })

  test('is composed, so that a letter and its accent are one character', () => {
    expect(cleanText('Ame\u0301lie')).toBe('Am\u00e9lie')
  })

  test.each([
    ['two spaces inside', 'Ada  Lovelace'],
    ['a no-break space inside', 'Ada\u00a0Lovelace'],
    ['a zero-width space inside', 'Ada\u200bLovelace'],
    ['its case', 'aDA LOVELACE'],
    ['a zero-width joiner at its end, which belongs to the spelling', '\u0915\u094d\u200d'],
    ['a variation selector after a letter', '辻\u{e0100}'],
    ['direction marks inside', 'R-\u200e123'],
    ['letters that only look alike', 'Ⅳ ﬁ ①'],
    ['quotation marks and a full stop', '"Ada".'],
  ])('keeps %s', (_, text) => {
    expect(cleanText(text)).toBe(text)
  })

  test('that is clean is not changed again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = cleanText(text)
        expect(cleanText(once)).toBe(once)
      }),
    )
  })

  test('with very many spaces between two letters takes linear time', async () => {
    const text = (times: number) => `a${' '.repeat(25_000 * times)}b`
    expect(cleanText(text(4))).toBe(text(4))
    expect(await growth((times) => cleanText(text(times)))).toBeLessThan(linear)
  })
})

test.each(['First Name', 'Email', 'Other'])('a value of “%s” is cleaned, and otherwise sent as written', (name) => {
  const end = name === 'First Name' ? ' ADA' : '@EXAMPLE.org'
  const written = `\ufeff Jose\u0301${end}\u200b\u00a0`
  expect(checkOne(aField(name), written).value).toBe(`Jos\u00e9${end}`)
})

test('an address keeps its capitals, and a name its two spaces', () => {
  expect(checkOne(aField('Email'), 'ADA@EXAMPLE.ORG').value).toBe('ADA@EXAMPLE.ORG')
  expect(checkOne(aField('First Name'), 'Ada  King').value).toBe('Ada  King')
})
