// How values and their shapes are masked.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeShape, maskBeyondAscii, maskShape, maskValue } from '#src/domain/recipient/mask-value.ts'

describe('a masked value', () => {
  test.each([
    ['jane@example.org', 'j…@e….org'],
    ['j@e.co.uk', 'j…@e….uk'],
    ['jane@localhost', 'j…@l…'],
    ['Jürgen', 'J… (6 characters)'],
    ['😀 smile', '😀… (7 characters)'],
    ['+4915112345678', '+… (14 characters)'],
    ['a', '… (1 character)'],
    ['abc', '… (3 characters)'],
    ['\0abc', '… (4 characters)'],
    ['', '(empty)'],
    ['a b@c.de', 'a… (8 characters)'],
    ['ab@c.de f', 'a… (9 characters)'],
    ['ab@.org', 'a…@.…'],
    ['ab@c.org2', 'a…@c…'],
    ['ab@.a.org', 'a…@.…'],
    ['act', '… (3 characters)'],
    ['… (4', '…'],
    ['a\u0301b\u200bcd', 'a… (6 characters)'],
  ])('of %j is %j', (value, masked) => {
    expect(maskValue(value)).toBe(masked)
  })

  test('never contains a value of more than three characters', () => {
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.emailAddress(), fc.stringMatching(/^[…@. (0-9a-z]{4,14}$/))
    fc.assert(
      fc.property(value, (text) => [...text].length <= 3 || !(maskValue(text) + maskShape(text)).includes(text)),
      { numRuns: 2_000, examples: [['… (4'], ['(empty)'], ['9999'], ['xxxx'], ['99.99.9999'], ['----'], ['…@….org']] },
    )
  })
})

test.each([
  ['Jürgen Größe', '“…ü…”'],
  ['Øystein', '“Ø…”'],
  ['Иванов', '“И…”'],
  ['\x93Jos\xe9\x94', '“…é…”'],
  ['Zoë', null],
  ['王伟', null],
  ['Ada King', null],
  ['5 € – 6 €', null],
])('of a value whose encoding is unknown, %j, only %j is shown', (value, masked) => {
  expect(maskBeyondAscii(value)).toBe(masked)
})

describe('a shape', () => {
  test.each([
    ['31.13.1999', '99.99.9999'],
    ['12 May 2001', '99 xxx 9999'],
    ['1999-99-99', '9999-99-99'],
    ['9999-99-99', '9… (10 characters)'],
    ['31.12.1999 and 23:59', '99.99.9999 xxx 99:99'],
    ['31.12.1999 and  23:59', '3… (21 characters)'],
    ['a name and more in the column of dates', 'a… (38 characters)'],
  ])('of %j is %j', (value, shape) => {
    expect(maskShape(value)).toBe(shape)
  })

  test.each([
    ['12 May 2001', 'a value written like 99 xxx 9999 (9 for a digit, x for a letter or symbol)'],
    ['9999-99-99', '9… (10 characters)'],
  ])('of %j is described as %j, which cannot be mistaken for the value', (value, words) => {
    expect(describeShape(value)).toBe(words)
  })
})
