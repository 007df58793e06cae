// Tests the settings of faults: off by default, changed while the sandbox runs, refused if invalid.

import { describe, expect, test } from 'vitest'
import type { Faults } from '#sandboxes/service/faults/faults.ts'
import { people, visitCore } from '#test/sandboxes/service/core-visitor.ts'
import { person, visitSandbox } from '#test/sandboxes/service/visitor.ts'

describe('faults', () => {
  test('are changed while the sandbox runs, part by part, and ended', async () => {
    const { core, invite } = await visitCore({ faults: { tooLarge: { recipients: 1 } } })
    core.injectFaults({ html502: { before: 1 } })
    expect(await invite('a@example.org')).toBe(502)
    core.injectFaults({ html502: undefined })
    expect(await invite('a@example.org')).toBe(200)
    expect(await invite(...people(2))).toBe(413)
    core.clearFaults()
    expect(await invite(...people(2))).toBe(200)
  })

  test('are changed over HTTP too', async () => {
    const { sandbox, invite } = await visitSandbox()
    sandbox.injectFaults({ throttledAfter: { share: 1 } })
    expect((await invite([person('a@example.org')])).http).toBe(429)
    sandbox.clearFaults()
    expect((await invite([person('b@example.org')])).http).toBe(200)
    expect(sandbox.requests()).toHaveLength(2)
  })

  test('do not affect another sandbox', async () => {
    const faults: Faults = {}
    const [one, other] = [await visitCore({ faults }), await visitCore({ faults })]
    one.core.injectFaults({ html502: { before: 1 } })
    expect(await other.invite('a@example.org')).toBe(200)
    expect(faults).toEqual({})
  })

  test.each<[string, Faults, RegExp]>([
    ['a share above one', { movingRows: { share: 1.1 } }, /faults: movingRows is 1.1/],
    ['a share that is not a number', { lateVisibility: { share: Number.NaN, minMs: 0, maxMs: 1 } }, /lateVisibility/],
    ['a negative share of answers', { lost: { after: -0.1 } }, /lost \(all\) is -0.1/],
    ['more than all answers', { lost: { after: 0.6 }, html502: { before: 0.6 } }, /together spoil 1.2/],
    ['a span that ends before it begins', { lateVisibility: { share: 1, minMs: 2, maxMs: 1 } }, /minMs at most maxMs/],
    ['a window that ends before it begins', { backlog: [{ fromMs: 2, untilMs: 1 }] }, /backlog has a window/],
    ['pages without records', { cappedPages: { records: 0, pager: 'requested' } }, /cappedPages.records is 0/],
    ['a negative time', { trickle: { spanMs: -1 } }, /trickle.spanMs is -1/],
  ])('are refused for %s, at opening and while running', async (_case, faults, words) => {
    await expect(visitCore({ faults })).rejects.toThrow(words)
    const { core, invite } = await visitCore()
    expect(() => core.injectFaults({ html502: { before: 1 }, ...faults })).toThrow(words)
    expect(await invite('a@example.org')).toBe(200)
  })
})
