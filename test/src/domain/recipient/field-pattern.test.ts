// How a field's pattern is read.

import { expect, test } from 'vitest'
import { compilePattern } from '#src/domain/recipient/field-pattern.ts'

const fits = (pattern: string, value: string) => {
  const compiled = compilePattern(pattern)
  return compiled !== null && 'test' in compiled ? compiled.test(value) : null
}

test.each<[string, string, boolean | null]>([
  ['/b/i', 'B', true],
  ['a/b/i', 'b', false],
  ['a/b/i', 'a/b/i', true],
  ['/a/1', 'a', false],
  ['a'.repeat(1_000), 'b', false],
  ['a'.repeat(1_001), 'b', null],
  ['a', 'b'.repeat(4_000), false],
  // Other rules refuse so long a value.
  ['a', 'b'.repeat(4_001), true],
])('%.9s fits %.9s: %j', (pattern, value, expected) => {
  expect(fits(pattern, value)).toBe(expected)
})
