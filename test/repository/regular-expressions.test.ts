// Checks that no regular expression in the sources takes more than linear time, by running each on worst-case text
// derived from it.

import { describe, expect, test } from 'vitest'
import { attacksOn, attackText, findAttack } from '#test/support/patterns/attacks.ts'
import { collectPatterns } from '#test/support/patterns/collect-patterns.ts'
import { countSteps } from '#test/support/patterns/count-steps.ts'
import { parsePattern } from '#test/support/patterns/parse-pattern.ts'

/**
 * By file, the maximum length of the text to which its patterns are applied. Longer text is cut beforehand, so that
 * even quadratic time is short.
 */
const cutBefore: Readonly<Record<string, number>> = {
  // 4,000 characters of an answer, with at most 128 of them looked back at from each position
  'src/issuer/service-message.ts': 4_000,
}
const maxSteps = 3_000_000

const patterns = collectPatterns()
const fileOf = (at: string) => at.slice(0, at.lastIndexOf(':'))

describe('the patterns in the sources', () => {
  test('are all found, and no division is mistaken for one', () => {
    expect(patterns.length).toBeGreaterThan(350)
    expect(patterns.map(({ at }) => fileOf(at))).toContain('src/extensions/certificates/non-certificate-content.ts')
  })

  test('take linear time, unless the text is cut before', () => {
    const slow = patterns
      .filter(({ at }) => !(fileOf(at) in cutBefore))
      .map((pattern) => ({ ...pattern, worst: findAttack(pattern) }))
      .filter(({ worst }) => worst !== null)
    expect(slow).toEqual([])
  }, 600_000)

  test('take few steps if the text is cut before', () => {
    for (const pattern of patterns) {
      const length = cutBefore[fileOf(pattern.at)]
      const worst = length === undefined ? null : findAttack(pattern)
      if (worst && length) expect(countSteps(parsePattern(pattern), attackText(worst, length), maxSteps)).not.toBeNull()
    }
  }, 600_000)
})

describe('the step counter', () => {
  test('finds what the engine finds, for all patterns', () => {
    for (const pattern of patterns) {
      const parsed = parsePattern(pattern)
      const letters = (text: string) => (/[uv]/.test(pattern.flags) ? [...text] : text.split(''))
      for (const attack of attacksOn(parsed).take(100)) {
        const text = attackText(attack, 6)
        const found = countSteps(parsed, text, maxSteps)?.found
        const ours = found
          ? letters(text)
              .slice(...found)
              .join('')
          : null
        expect([pattern.at, text, ours]).toEqual([
          pattern.at,
          text,
          new RegExp(pattern.source, pattern.flags).exec(text)?.[0] ?? null,
        ])
      }
    }
  }, 600_000)

  test.each([
    /^\s*(<!--[\s\S]*?-->\s*)*<html/,
    /(a+)+$/,
    /(a|a)*b/,
    /^(\w+\s?)*$/,
    /\s+$/,
    /^a*b?a*$/,
    /x(?=.*y)/,
    /^(?:.*contact(?!.*name))/,
  ])('detects that %s is slow', (pattern) => {
    expect(findAttack(pattern)).not.toBeNull()
  })

  test.each([/^\s*<html/, /^(?:[^,]+,)*$/, /(?<!\s)\s+$/, /^[^@]+@[^@]+$/, /a{0,9}b/])(
    'detects that %s is not slow',
    (pattern) => {
      expect(findAttack(pattern)).toBeNull()
    },
  )
})
