// Mischief as a setting: off by default, changed while the sandbox runs, refused when it cannot be.

import { describe, expect, test } from 'vitest'
import type { Mischief } from '#src/sandbox/mischief/mischief.ts'
import { people, visitCore } from '#test/src/sandbox/core-visitor.ts'
import { person, visitSandbox } from '#test/src/sandbox/visitor.ts'

describe('mischief', () => {
  test('is changed while the sandbox runs, part by part, and ended', async () => {
    const { core, invite } = await visitCore({ mischief: { tooLarge: { recipients: 1 } } })
    core.misbehave({ html502: { before: 1 } })
    expect(await invite('a@example.org')).toBe(502)
    core.misbehave({ html502: undefined })
    expect(await invite('a@example.org')).toBe(200)
    expect(await invite(...people(2))).toBe(413)
    core.behave()
    expect(await invite(...people(2))).toBe(200)
  })

  test('is changed on the wire too', async () => {
    const { sandbox, invite } = await visitSandbox()
    sandbox.misbehave({ throttledAfter: { share: 1 } })
    expect((await invite([person('a@example.org')])).http).toBe(429)
    sandbox.behave()
    expect((await invite([person('b@example.org')])).http).toBe(200)
    expect(sandbox.requests()).toHaveLength(2)
  })

  test('does not change what another sandbox does', async () => {
    const mischief: Mischief = {}
    const [one, other] = [await visitCore({ mischief }), await visitCore({ mischief })]
    one.core.misbehave({ html502: { before: 1 } })
    expect(await other.invite('a@example.org')).toBe(200)
    expect(mischief).toEqual({})
  })

  test.each<[string, Mischief, RegExp]>([
    ['a share above one', { movingRows: { share: 1.1 } }, /mischief: movingRows is 1.1/],
    ['a share that is no number', { lateVisibility: { share: Number.NaN, minMs: 0, maxMs: 1 } }, /lateVisibility/],
    ['a negative share of answers', { lost: { after: -0.1 } }, /lost \(all\) is -0.1/],
    ['more than all answers', { lost: { after: 0.6 }, html502: { before: 0.6 } }, /together spoil 1.2/],
    ['a span that ends before it begins', { lateVisibility: { share: 1, minMs: 2, maxMs: 1 } }, /minMs at most maxMs/],
    ['a window that ends before it begins', { backlog: [{ fromMs: 2, untilMs: 1 }] }, /backlog has a window/],
    ['pages without records', { cappedPages: { records: 0, pager: 'wish' } }, /cappedPages.records is 0/],
    ['a negative time', { trickle: { spanMs: -1 } }, /trickle.spanMs is -1/],
  ])('is refused for %s, at opening and while running', async (_case, mischief, words) => {
    await expect(visitCore({ mischief })).rejects.toThrow(words)
    const { core, invite } = await visitCore()
    expect(() => core.misbehave({ html502: { before: 1 }, ...mischief })).toThrow(words)
    expect(await invite('a@example.org')).toBe(200)
  })
})
