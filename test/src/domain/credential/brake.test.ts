// Which runs the brake stops, and how it explains the reason.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BrakeLimits, checkSize } from '#src/domain/credential/brake.ts'

const usual100 = [100, 100, 100]

describe('a run', () => {
  test.each<[string, BrakeLimits, number, number[], boolean]>([
    ['as large as rows allows', { rows: 500 }, 500, [], false],
    ['with one row more than rows allows', { rows: 500 }, 501, [], true],
    ['of one row where rows allows none', { rows: 0 }, 1, [], true],
    ['of no new rows where rows allows none', { rows: 0, percent: 0 }, 0, usual100, false],
    ['as far above the usual as percent allows', { percent: 10 }, 110, usual100, false],
    ['with one row more than percent allows', { percent: 10 }, 111, usual100, true],
    ['of any size if there is no usual size', { percent: 10 }, 1_000_000, [100, 100], false],
    ['too large by rows alone', { rows: 10, percent: 50 }, 11, usual100, true],
    ['too large by percent alone', { rows: 1_000, percent: 50 }, 151, usual100, true],
    [
      'far above the usual, although one unusual list has raised the mean',
      { percent: 50 },
      151,
      [90, 100, 90_000],
      true,
    ],
    ['as large as the mean of the two middle sizes', { percent: 0 }, 150, [100, 200, 10, 300], false],
    ['just above the mean of the two middle sizes', { percent: 0 }, 151, [100, 200, 10, 300], true],
    ['far above the usual, but small', { percent: 50 }, 20, [1, 1, 1], false],
    ['far above the usual, and just too large to be small', { percent: 50 }, 21, [1, 1, 1], true],
    ['small, but with more rows than rows allows', { rows: 5, percent: 50 }, 6, [1, 1, 1], true],
  ])('%s is checked against %j', (_, limits, accepted, recent, stopped) => {
    expect(checkSize(limits, accepted, recent).because !== null).toBe(stopped)
  })

  test('has the middle one of an odd number of earlier sizes as the usual size', () => {
    expect(checkSize({ percent: 50 }, 1, [90, 100, 90_000]).usual).toBe(100)
  })

  test('is stopped with every reason and its figures', () => {
    expect(checkSize({ rows: 500, percent: 50 }, 812, [120, 119, 121])).toEqual({
      because:
        '812 rows would be issued, more than the limit of 500 (brake.rows), and more than 50 % above the usual 120.',
      beyondDay: false,
      usual: 120,
      notice: null,
    })
    expect(checkSize({ rows: 0 }, 1, []).because).toBe('1 row would be issued, more than the limit of 0 (brake.rows).')
  })

  test.each([
    [99, 1, false],
    [100, 1, true],
    [0, 101, true],
    [250, 0, false],
  ])('after %i rows in the last 24 hours, with %i rows, exceeds 100 per day: %s', (today, accepted, beyondDay) => {
    expect(checkSize({ perDay: 100 }, accepted, [], today)).toMatchObject({ beyondDay })
  })

  test('beyond the daily limit reports how many rows were already issued', () => {
    expect(checkSize({ perDay: 100 }, 8, [], 95).because).toBe(
      '8 rows would be issued, together with the 95 issued in the last 24 hours more than the limit of 100 (brake.perDay).',
    )
  })

  test('continues with a notice if its pipeline has no usual size yet', () => {
    const { because, usual, notice } = checkSize({ percent: 50 }, 900, [100])
    expect([because, usual]).toEqual([null, null])
    expect(notice).toBe(
      'brake.percent does not apply yet: it needs 3 earlier runs of this pipeline that issued anything, and there is 1.',
    )
    expect(checkSize({ percent: 50 }, 900, [100, 100]).notice).toMatch(/there are 2\.$/)
    expect(checkSize({ percent: 50 }, 20, []).notice).toBeNull()
    expect(checkSize({ rows: 1_000 }, 900, []).notice).toBeNull()
    expect(checkSize({ rows: 9 }, 5, []).notice).toBeNull()
  })

  test('is checked the same way whatever the order of the earlier runs', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 3, maxLength: 10 })
    fc.assert(
      fc.property(sizes, fc.nat({ max: 1_000 }), fc.nat({ max: 200 }), (recent, accepted, percent) => {
        const checked = checkSize({ percent }, accepted, recent)
        expect(checkSize({ percent }, accepted, recent.toReversed())).toEqual(checked)
        expect(checked.because === null || accepted > Math.min(...recent)).toBe(true)
      }),
    )
  })
})
