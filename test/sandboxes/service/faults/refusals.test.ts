// Tests the faults that occur before a call is processed: undocumented size limits, one invalid recipient, the same
// person twice, tokens that expire early.

import { describe, expect, test } from 'vitest'
import { json, people, visitCore } from '#test/sandboxes/service/core-visitor.ts'
import { paths } from '#test/sandboxes/service/visitor.ts'

describe('an undocumented size limit', () => {
  test('is 413 above this many recipients, in words without the number', async () => {
    const { core, invite, post, held } = await visitCore({ faults: { tooLarge: { recipients: 7 } } })
    expect(await invite(...people(8))).toBe(413)
    expect(held()).toEqual([])
    expect(await invite(...people(7))).toBe(200)
    const refusal = json(await post(paths.invite, { student: Array(8).fill({}) }))
    expect([refusal.status, refusal.message]).toEqual([413, expect.not.stringMatching(/\d/)])
    expect(core.journal().invitesAccepted).toBe(1)
  })

  test('is 413 above this many bytes', async () => {
    const { core, invite, post } = await visitCore()
    await invite(...people(5))
    const size = 500
    core.injectFaults({ tooLarge: { bytes: size } })
    const body = (length: number) => `{"student":[]${' '.repeat(length - 14)}}`
    expect(json(await post(paths.invite, body(size))).status).toBe(400)
    expect(json(await post(paths.invite, body(size + 1))).status).toBe(413)
  })
})

describe('the same person twice', () => {
  test.each([undefined, 'issue'] as const)('is issued twice with %s', async (duplicates) => {
    const { invite, held } = await visitCore({ faults: { duplicates } })
    expect(await invite('a@example.org', 'a@example.org')).toBe(200)
    expect(await invite('a@example.org')).toBe(200)
    expect(held()).toHaveLength(3)
  })

  test('is refused if configured: within a batch, and again later in any case', async () => {
    const { core, invite, post, held } = await visitCore({ faults: { duplicates: 'refuse' } })
    expect(await invite('a@example.org', 'a@example.org')).toBe(400)
    expect(held()).toEqual([])
    expect(await invite('a@example.org', 'b@example.org')).toBe(200)
    expect(await invite('c@example.org', 'A@example.org')).toBe(400)
    expect(held()).toEqual(['a@example.org', 'b@example.org'])
    const [course, other] = core.courses
    const student = [{ Email: 'a@example.org', 'First Name': 'A', 'Last Name': 'B', 'Primary Value': 'Email' }]
    const to = (each: typeof course) => ({
      course_uuid: each?.uuid,
      template_uuid: each?.templateUuid,
      badge_template_uuid: each?.badgeTemplateUuid,
      student,
    })
    expect(json(await post(paths.invite, to(course))).message).toContain(
      'recipient 1: was already invited to this course',
    )
    expect(json(await post(paths.invite, to(other))).status).toBe(200)
  })
})

describe('a token', () => {
  test('expires after its number of calls', async () => {
    const { invite, signIn } = await visitCore({ faults: { tokens: { uses: 2 } } })
    expect([await invite('a@example.org'), await invite('b@example.org')]).toEqual([200, 200])
    expect(await invite('c@example.org')).toBe(401)
    await signIn()
    expect(await invite('c@example.org')).toBe(200)
  })

  test('for refresh, used twice, ends its session and no other', async () => {
    const { core, post, signIn, use, invite } = await visitCore({ faults: { reuseEndsSession: true } })
    const other = await signIn()
    const first = await signIn()
    const second = json(await post(paths.refresh, { refreshToken: first.refreshToken })).payload
    expect(json(await post(paths.refresh, { refreshToken: first.refreshToken })).status).toBe(401)
    for (const token of [first.accessToken, second.accessToken]) {
      use(token)
      expect(await invite('a@example.org')).toBe(401)
    }
    expect(json(await post(paths.refresh, { refreshToken: second.refreshToken })).status).toBe(401)
    use(other.accessToken)
    expect(await invite('a@example.org')).toBe(200)
    expect(core.journal().refreshes).toBe(1)
  })
})
