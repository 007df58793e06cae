// What people do about themselves: change their password.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostFailures } from '#src/extensions/console/security/sign-in-limits.ts'
import { invitePerson } from '#src/extensions/console/sign-in/invite-person.ts'
import { type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const [old, next] = ['twelve bicycles and a kite', 'brisk lantern oath tundra']

describeWithDatabase('a person of the console', () => {
  let console: ConsoleWorld
  beforeAll(async () => {
    console = await openConsoleWorld()
  })
  afterAll(() => console[Symbol.asyncDispose]())

  async function invited(name: string): Promise<string> {
    const { ledger, clock } = console.world.app
    const path = await invitePerson({ ledger, clock }, { name, role: 'viewer', pipelines: null }, 'test')
    const form = { link: new URL(path, 'http://x').searchParams.get('link') ?? '', password: old, again: old }
    return (await console.ask('/welcome', { form })).cookie ?? ''
  }
  const signIn = (name: string, password: string) => console.ask('/sign-in', { form: { name, password } })
  const isIn = async (cookie: string | null) => (await console.ask('/', { cookie: cookie ?? '' })).status === 200
  const change = (cookie: string, form: { current: string; password: string; again?: string }) =>
    console.ask('/account/password', { cookie, form: { again: form.password, ...form } })

  test('changes the password, which ends the other sessions', async () => {
    const here = await invited('ada')
    const { cookie: elsewhere } = await signIn('ada', old)
    for (const [form, status, words] of [
      [{ current: old, password: 'my name is ada, after all' }, 422, 'your name'],
      [{ current: 'wrong wrong wrong', password: next }, 403, 'is wrong'],
    ] as const) {
      const answer = await change(here, form)
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)])
    }
    expect(await isIn(elsewhere)).toBe(true)
    expect((await change(here, { current: old, password: next })).text).toContain('Your password is changed')
    expect([await isIn(here), await isIn(elsewhere)]).toEqual([true, false])
    expect([(await signIn('ada', old)).status, (await signIn('ada', next)).status]).toEqual([403, 303])
  })

  test('is not let in by trying, neither at the sign-in nor with an open session', async () => {
    const cookie = await invited('alan')
    const statuses: number[] = []
    for (let at = 0; at <= mostFailures.pair; at++)
      statuses.push((await change(cookie, { current: `wrong ${at}`, password: next })).status)
    expect(statuses).toEqual([...Array.from({ length: mostFailures.pair }, () => 403), 429])
    expect((await signIn('alan', old)).status).toBe(429)
    console.advance(15 * 60_000)
    expect((await signIn('alan', old)).status).toBe(303)
  })
})
