// Sign-in by the headers of a reverse proxy, over real HTTP.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const secret = 'what only the proxy and we know'
const person = { 'x-forwarded-user': 'ada', 'x-forwarded-groups': 'it', 'x-credsync-proxy-secret': secret }

describeWithDatabase('a person whom a proxy names', () => {
  let console: ConsoleWorld
  beforeAll(async () => {
    console = await openConsoleWorld({
      console: {
        url: 'https://credentials.example.edu',
        trustedProxies: ['127.0.0.1'],
        auth: { proxy: { secret, grants: [{ of: 'it', role: 'operator' }] } },
      },
    })
  })
  afterAll(() => console[Symbol.asyncDispose]())

  const statusFor = async (headers: Record<string, string>, asked = {}) =>
    (await console.ask('/log', { headers, ...asked })).status

  test('needs no session', async () => {
    expect(await statusFor(person)).toBe(200)
  })

  test('is nobody without the secret of the proxy, or with another one', async () => {
    const { 'x-credsync-proxy-secret': _, ...forged } = person
    expect(await statusFor(forged)).toBe(303)
    expect(await statusFor({ ...person, 'x-credsync-proxy-secret': `${secret}!` })).toBe(303)
  })

  test('may do nothing without a group that has a role', async () => {
    expect(await statusFor({ ...person, 'x-forwarded-groups': 'staff' })).toBe(403)
  })

  test('still has to mean this host, and sends forms from its pages only', async () => {
    expect(await statusFor({ ...person, host: 'evil.example', 'x-forwarded-host': 'credentials.example.edu' })).toBe(
      421,
    )
    const form = { who: 'i1' }
    expect(
      (await console.ask('/people', { headers: { ...person, origin: 'https://evil.example' }, form })).status,
    ).toBe(403)
    expect((await console.ask('/people', { headers: person, form })).status).toBe(404)
  })
})
