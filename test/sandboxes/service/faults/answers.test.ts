// Tests the faults in responses: what was applied, and what the caller gets.

import { describe, expect, test } from 'vitest'
import type { Faults } from '#sandboxes/service/faults/faults.ts'
import { json, people, visitCore } from '#test/sandboxes/service/core-visitor.ts'
import { paths, person, visitSandbox } from '#test/sandboxes/service/visitor.ts'

const ways: [string, Faults, number, boolean, RegExp][] = [
  ['429 after the commit', { throttledAfter: { share: 1 } }, 429, true, /^\{"status":429/],
  ['envelope 500, applied', { envelope500: { applied: 1 } }, 200, true, /^\{"status":500/],
  ['envelope 500, not applied', { envelope500: { notApplied: 1 } }, 200, false, /^\{"status":500/],
  ['HTML 502 before the commit', { html502: { before: 1 } }, 502, false, /^<html>/],
  ['HTML 502 after the commit', { html502: { after: 1 } }, 502, true, /^<html>/],
  ['a truncated answer before the commit', { truncated: { before: 1 } }, 200, false, /^\{"status":200[^}]*$/],
  ['a truncated answer after the commit', { truncated: { after: 1 } }, 200, true, /^\{"status":200[^}]*$/],
  ['an answer lost before the commit', { lost: { before: 1 } }, 0, false, /^$/],
  ['an answer lost after the commit', { lost: { after: 1 } }, 0, true, /^$/],
]

describe('a faulty answer', () => {
  test.each(ways)('%s', async (_case, faults, status, applied, body) => {
    const { course, sandbox, signIn } = await visitSandbox({ faults })
    const batch = { template_uuid: course.templateUuid, badge_template_uuid: course.badgeTemplateUuid }
    const text = JSON.stringify({ course_uuid: course.uuid, ...batch, student: [person('a@example.org')] })
    const { accessToken } = await signIn()
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const answer = await fetch(sandbox.url + paths.invite, { method: 'POST', headers, body: text }).then(
      async (each) => ({ status: each.status, body: await each.text() }),
      () => ({ status: 0, body: '' }),
    )
    expect(answer).toEqual({ status, body: expect.stringMatching(body) })
    expect(sandbox.requests()).toHaveLength(applied ? 1 : 0)
  })

  test('affects only invitations, unless all calls are requested', async () => {
    const { core, post } = await visitCore({ faults: { lost: { before: 1 } } })
    expect(json(await post(paths.list, {})).status).toBe(200)
    core.injectFaults({ spoiledCalls: 'all' })
    expect(await post(paths.list, {})).toEqual({ lost: true })
    expect(await post(paths.report, {})).toEqual({ lost: true })
  })

  test('does not hide a justified refusal', async () => {
    const { invite, held } = await visitCore({ faults: { throttledAfter: { share: 1 } } })
    expect(await invite('no address')).toBe(400)
    expect(held()).toEqual([])
  })

  test('affects its share of the calls, each with one fault at most', async () => {
    const { core, invite } = await visitCore({
      faults: { throttledAfter: { share: 0.2 }, html502: { before: 0.1, after: 0.1 }, lost: { after: 0.1 } },
    })
    const count = new Map<number, number>()
    for (const email of people(400)) {
      const status = await invite(email)
      count.set(status, (count.get(status) ?? 0) + 1)
    }
    // 400 draws: four standard deviations around 80, 80, 40 and 200.
    expect(Math.abs((count.get(429) ?? 0) - 80)).toBeLessThan(33)
    expect(Math.abs((count.get(502) ?? 0) - 80)).toBeLessThan(33)
    expect(Math.abs((count.get(0) ?? 0) - 40)).toBeLessThan(25)
    expect(Math.abs((count.get(200) ?? 0) - 200)).toBeLessThan(41)
    expect(core.requests().length).toBe(core.entries().filter(({ kind }) => kind === 'committed').length)
  })
})

describe('a partial commit', () => {
  test.each([500, 400] as const)('applies the first rows of the batch and answers %i', async (answer) => {
    const faults: Faults = { partialCommit: { share: 1, take: 'prefix', answer } }
    const { core, invite, held } = await visitCore({ faults })
    const batch = people(20)
    expect(await invite(...batch)).toBe(answer)
    const count = held().length
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(20)
    expect(held()).toEqual(batch.slice(0, count))
    expect(core.entries()).toContainEqual(expect.objectContaining({ kind: 'committed', recipients: 20 }))
    expect(core.journal().recipientsAccepted).toBe(count)
  })

  test('applies some rows of the batch, in order', async () => {
    const faults: Faults = { partialCommit: { share: 1, take: 'scattered', answer: 500 } }
    const { invite, held } = await visitCore({ faults })
    const batches = Array.from({ length: 10 }, (_, round) => people(12, `r${round}-`))
    const gaps: boolean[] = []
    for (const batch of batches) {
      const before = held().length
      await invite(...batch)
      const taken = held().slice(before)
      expect(taken).toEqual(batch.filter((email) => taken.includes(email)))
      gaps.push(taken.join() !== batch.slice(0, taken.length).join())
    }
    expect(gaps).toContain(true)
  })
})
