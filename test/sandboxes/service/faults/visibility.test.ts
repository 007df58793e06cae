// Tests the faults that determine when a request appears in the report.

import { describe, expect, test } from 'vitest'
import { people, visitCore } from '#test/sandboxes/service/core-visitor.ts'

describe('late visibility', () => {
  test('delays its share of the requests by minMs to maxMs, and no others', async () => {
    const faults = { lateVisibility: { share: 0.3, minMs: 1_000, maxMs: 3_000 } }
    const { invite, rows, clock } = await visitCore({ faults })
    await invite(...people(300))
    const prompt = (await rows()).length
    // 300 draws: four standard deviations around 210.
    expect(Math.abs(prompt - 210)).toBeLessThan(32)
    await clock.advance(999)
    expect(await rows()).toHaveLength(prompt)
    await clock.advance(1_001)
    const middle = (await rows()).length
    expect(middle).toBeGreaterThan(prompt)
    expect(middle).toBeLessThan(300)
    await clock.advance(1_000)
    expect(await rows()).toHaveLength(300)
  })

  test('lets the pager count only what is shown, and finds no one by e-mail before', async () => {
    const faults = { lateVisibility: { share: 1, minMs: 500, maxMs: 500 } }
    const { invite, page, rows, clock } = await visitCore({ reportLagMs: 100, faults })
    await invite('a@example.org')
    await clock.advance(599)
    expect((await page({})).pager).toMatchObject({ filteredRecords: 0, totalRecords: 0 })
    expect(await rows({ email_: 'a@example.org' })).toEqual([])
    await clock.advance(1)
    expect((await page({})).pager).toMatchObject({ filteredRecords: 1, totalRecords: 1 })
    expect(await rows({ email_: 'a@example.org' })).toHaveLength(1)
  })
})

describe('a trickle', () => {
  test('shows the rows of one batch one by one, the last at the end of the interval', async () => {
    const { invite, rows, clock } = await visitCore({ faults: { trickle: { spanMs: 400 } } })
    await invite(...people(5))
    const seen: number[] = []
    for (const step of [0, 99, 1, 100, 100, 99, 1]) {
      await clock.advance(step)
      seen.push((await rows()).length)
    }
    expect(seen).toEqual([1, 1, 2, 3, 4, 4, 5])
  })
})

describe('a backlog', () => {
  test('holds back what becomes due in it until it ends, and nothing else', async () => {
    const faults = { backlog: [{ fromMs: 1_000, untilMs: 5_000 }] }
    const { invite, rows, clock } = await visitCore({ faults })
    await invite('before@example.org')
    await clock.advance(1_000)
    await invite('within@example.org')
    await clock.advance(3_999)
    expect(emails(await rows())).toEqual(['before'])
    await clock.advance(1)
    await invite('after@example.org')
    expect(emails(await rows())).toEqual(['before', 'within', 'after'])
  })
})

const emails = (rows: { email_: string }[]) => rows.map(({ email_ }) => email_.split('@')[0])
