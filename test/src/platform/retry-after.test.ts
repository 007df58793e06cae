// The Retry-After header, in seconds or as a date.

import { describe, expect, test } from 'vitest'
import { parseRetryAfter } from '#src/platform/retry-after.ts'

const now = new Date('2026-03-01T12:00:00Z')

describe('parseRetryAfter', () => {
  test.each([
    ['7', 7_000],
    [' 0 ', 0],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sunday, 01-Mar-26 12:00:05 GMT', 5_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ])('reads %j as %i milliseconds', (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms)
  })

  test.each([
    [null],
    [undefined],
    [''],
    ['soon'],
    ['-5'],
    ['1.5'],
    ['2026-03-01'],
    ['12 Mar'],
    ['9999999999999999999'],
  ])('treats %j as no header', (header) => {
    expect(parseRetryAfter(header, now)).toBeNull()
  })
})
