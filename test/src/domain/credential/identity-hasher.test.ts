// Values that identify a person are normalized, and their hashes are equal only for the same person.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  Hasher,
  normalizeEmail,
  normalizeMatch,
  normalizePhone,
  normalizeText,
} from '#src/domain/credential/identity-hasher.ts'
import { aCourse, otherCourse } from '#test/support/domain-objects.ts'

const hasher = new Hasher(Buffer.alloc(32, 1))
const hex = (hash: Buffer) => hash.toString('hex')

describe('normalizing', () => {
  test.each([
    [' Ada@Example.ORG ', 'ada@example.org'],
    ['Jose\u0301@example.org', 'jos\u00e9@example.org'],
    ['ada+course@example.org', 'ada+course@example.org'],
    ['a.da@example.org', 'a.da@example.org'],
  ])('an e-mail address %j becomes %j', (given, plain) => {
    expect(normalizeEmail(given)).toBe(plain)
  })

  test.each([
    ['+49 (171) 123-45', '4917112345'],
    ['0049171', '49171'],
    ['0171 23', '17123'],
    ['10020 3', '100203'],
    ['no digits', ''],
  ])('a phone number %j becomes %j', (given, plain) => {
    expect(normalizePhone(given)).toBe(plain)
  })

  test('keeps the case of other text, so that two people are never merged', () => {
    expect(normalizeText(' Ab\u0065\u0301 ')).toBe('Ab\u00e9')
  })

  test.each(['\u200e', '\u00ad', '\u2060', '\u200b', '\u200d', '\ufeff'])(
    'removes the invisible character %j from a value, wherever it is',
    (mark) => {
      for (const written of [`R-123${mark}`, `R-${mark}123`, `${mark}R-123`, `R-123 ${mark}`]) {
        expect(normalizeText(written)).toBe('R-123')
        expect(hasher.identity({ 'Register Number': written })).toEqual(hasher.identity({ 'Register Number': 'R-123' }))
        expect(hasher.match('reg_no', written)).toEqual(hasher.match('reg_no', 'R-123'))
      }
    },
  )

  test('ignores the case of a number that is searched for in the report', () => {
    expect(normalizeMatch('reg_no', ' AB-7 ')).toBe('ab-7')
  })

  test('has the same result when done twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const kind of ['email', 'phone', 'uid'] as const) {
          const once = normalizeMatch(kind, text)
          expect(normalizeMatch(kind, once)).toBe(once)
        }
      }),
    )
  })
})

describe('hashing', () => {
  test('keeps parts separate: two records have the same hash only if they are equal', () => {
    const record = fc.dictionary(fc.string({ minLength: 1 }), fc.string().map(normalizeEmail), { maxKeys: 3 })
    const sorted = (fields: Record<string, string>) =>
      JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))
    fc.assert(
      fc.property(record, record, (one, other) => {
        const isSame = hex(hasher.identity(one)) === hex(hasher.identity(other))
        expect(isSame).toBe(sorted(one) === sorted(other))
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    [{ a: 'b', c: 'd' }, { a: 'b1:c;1:d' }],
    [{ a: 'b', c: 'd' }, { a: 'b;c;d' }],
    [{ a: '1:b;' }, { a: '', '1:b;': '' }],
    [{ ab: 'c' }, { a: 'bc' }],
  ])('%j is not %j, whatever separators a value contains', (one, other) => {
    expect(hex(hasher.identity(one))).not.toBe(hex(hasher.identity(other as Record<string, string>)))
    const person = hasher.identity({ Email: 'x' })
    const keys = [one, other].map((each) => hex(hasher.issuance(aCourse, person, each as Record<string, string>)))
    expect(keys[0]).not.toBe(keys[1])
  })

  test('does not depend on the order of the fields', () => {
    expect(hasher.identity({ a: '1', b: '2' })).toEqual(hasher.identity({ b: '2', a: '1' }))
  })

  test('distinguishes kinds, courses and occasions', () => {
    const person = hasher.identity({ Email: 'ada@example.org' })
    const all = [
      hasher.match('email', '7'),
      hasher.match('phone', '7'),
      hasher.match('uid', '7'),
      hasher.identity({ uid: '7' }),
      hasher.issuance(aCourse, person, {}),
      hasher.issuance(otherCourse, person, {}),
      hasher.issuance(aCourse, person, { Date: '2026-03-01' }),
      hasher.issuance(aCourse, person, { Date: '2026-03-02' }),
    ].map(hex)
    expect(new Set(all).size).toBe(all.length)
  })

  test('does not depend on the order of the occurrence fields', () => {
    const person = hasher.identity({ Email: 'ada@example.org' })
    const [one, other] = [
      { Term: '1', Room: '2' },
      { Room: '2', Term: '1' },
    ].map((occurrence) => hex(hasher.issuance(aCourse, person, occurrence)))
    expect(one).toBe(other)
  })

  test('never changes: with other hashes, an upgraded worker would not recognize anyone who has a credential', () => {
    const person = hasher.identity({ Email: 'ada@example.org', 'Contact Number': '0171 5' })
    expect(hex(hasher.match('email', 'ada@example.org')).slice(0, 16)).toBe('3b47d2676dcd8d2f')
    expect(hex(person).slice(0, 16)).toBe('3e2a8ec3a561e419')
    expect(hex(hasher.issuance('course-1', person, { Term: '1' })).slice(0, 16)).toBe('0bc9a060a0021e4f')
  })

  test('gives different hashes with a different key, so that hashes are useless without the ledger', () => {
    const other = new Hasher(Buffer.alloc(32, 2))
    expect(hasher.match('email', 'ada@example.org')).not.toEqual(other.match('email', 'ada@example.org'))
  })
})
