import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BrakeLimits, judgeSize } from '#src/issuance/brake.ts'

const usual100 = [100, 100, 100]

describe('a run', () => {
  test.each<[string, BrakeLimits, number, number[], boolean]>([
    ['as large as rows allows', { rows: 500 }, 500, [], false],
    ['of one row more', { rows: 500 }, 501, [], true],
    ['of one row where none may go by itself', { rows: 0 }, 1, [], true],
    ['of nobody new where none may go by itself', { rows: 0, percent: 0 }, 0, usual100, false],
    ['as far above the usual as percent allows', { percent: 10 }, 110, usual100, false],
    ['of one row more than that', { percent: 10 }, 111, usual100, true],
    ['of any size without a usual one', { percent: 10 }, 1_000_000, [100, 100], false],
    ['too large by rows alone', { rows: 10, percent: 50 }, 11, usual100, true],
    ['too large by percent alone', { rows: 1_000, percent: 50 }, 151, usual100, true],
    ['far above a mean that one odd list has raised', { percent: 50 }, 151, [90, 100, 90_000], true],
    ['between two middle sizes', { percent: 0 }, 150, [100, 200, 10, 300], false],
    ['just above two middle sizes', { percent: 0 }, 151, [100, 200, 10, 300], true],
    ['far above the usual of small nights', { percent: 50 }, 20, [1, 1, 1], false],
    ['too large to be a small night', { percent: 50 }, 21, [1, 1, 1], true],
    ['of a small night, too large by rows', { rows: 5, percent: 50 }, 6, [1, 1, 1], true],
  ])('%s is judged by %j', (_, limits, accepted, recent, stopped) => {
    expect(judgeSize(limits, accepted, recent).because !== null).toBe(stopped)
  })

  test('is stopped with every reason, in figures', () => {
    expect(judgeSize({ rows: 500, percent: 50 }, 812, [120, 119, 121])).toEqual({
      because: '812 rows would be issued, more than the 500 of brake.rows, and more than 50 % above the usual 120.',
      usual: 120,
      notice: null,
    })
    expect(judgeSize({ rows: 0 }, 1, []).because).toBe('1 row would be issued, more than the 0 of brake.rows.')
  })

  test('whose pipeline has no usual size yet goes on, and that is said', () => {
    const { because, usual, notice } = judgeSize({ percent: 50 }, 900, [100])
    expect([because, usual]).toEqual([null, null])
    expect(notice).toBe(
      'brake.percent does not apply yet: it needs 3 earlier runs of this pipeline that issued anybody, and there is 1.',
    )
    expect(judgeSize({ percent: 50 }, 20, []).notice).toBeNull()
    expect(judgeSize({ rows: 9 }, 5, []).notice).toBeNull()
  })

  test('is not judged otherwise by the order of the runs before it', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 3, maxLength: 10 })
    fc.assert(
      fc.property(sizes, fc.nat({ max: 1_000 }), fc.nat({ max: 200 }), (recent, accepted, percent) => {
        const judged = judgeSize({ percent }, accepted, recent)
        expect(judgeSize({ percent }, accepted, recent.toReversed())).toEqual(judged)
        expect(judged.because === null || accepted > Math.min(...recent)).toBe(true)
      }),
    )
  })
})
