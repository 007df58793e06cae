// Sign-in by OpenID Connect, at a provider over real HTTP.

import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveConsole } from '#src/extensions/console/serve-console.ts'
import { consoleSchema } from '#src/extensions/console/settings/console-settings.ts'
import { askConsole, type ConsoleAnswer, type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestProvider, type TestProvider } from '#test/support/identity-provider.ts'

const url = 'https://credentials.example.edu/credsync'
const theGrants = [
  { of: 'registry', role: 'registrar', pipelines: ['spring'] },
  { of: 'it', role: 'operator' },
]

describeWithDatabase('a person of an identity provider', () => {
  let provider: TestProvider
  let console: ConsoleWorld

  beforeAll(async () => {
    provider = await openTestProvider()
    const { issuer, clientId, clientSecret } = provider
    const grants = theGrants
    console = await openConsoleWorld({
      console: { url, auth: { local: false, oidc: { issuer, clientId, clientSecret, grants } } },
    })
  })
  afterAll(async () => {
    await console[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    provider.claims = { sub: 's-42', preferred_username: 'ada', groups: ['staff', 'it'] }
    provider.forge = {}
  })

  const cookiesOf = ({ headers }: ConsoleAnswer) =>
    (headers['set-cookie'] ?? []).map((each) => each.split(';')[0] ?? '')

  /** Goes to the provider. Returns where it sends the browser back to, and the cookie that the browser keeps. */
  async function atProvider(to = '/runs?state=open') {
    const begun = await console.ask(`/sign-in/oidc?to=${encodeURIComponent(to)}`)
    const sent = await fetch(String(begun.headers.location), { redirect: 'manual' })
    return {
      back: sent.headers.get('location') ?? '',
      cookie: cookiesOf(begun)[0] ?? '',
      address: new URL(String(begun.headers.location)),
    }
  }

  const sentBack = (back: string, cookie: string | undefined) =>
    console.ask(back.replace('https://credentials.example.edu', ''), { cookie })

  test('signs in with the role of a group, and is recorded by name and subject', async () => {
    const { back, cookie, address } = await atProvider()
    expect(address.searchParams.get('redirect_uri')).toBe(`${url}/sign-in/oidc/callback`)
    expect(address.searchParams.get('code_challenge_method')).toBe('S256')
    const entered = await sentBack(back, cookie)
    expect([entered.status, entered.headers.location]).toEqual([303, '/credsync/runs?state=open'])
    expect(
      entered.headers['set-cookie']?.every((each) => /^__Host-.*; HttpOnly; SameSite=Lax; Secure$/.test(each)),
    ).toBe(true)
    const log = await console.ask('/log', { cookie: entered.cookie ?? '' })
    expect(log.text).toContain('ada &lt;s-42&gt;')
  })

  test('sees only the pipelines of the group', async () => {
    provider.claims = { sub: 's-43', groups: ['registry'] }
    const { back, cookie } = await atProvider()
    const { cookie: session } = await sentBack(back, cookie)
    expect((await console.ask('/log', { cookie: session ?? '' })).status).toBe(403)
    expect((await console.ask('/runs', { cookie: session ?? '' })).text).toContain('registrar')
  })

  test('gets nothing without a group that has a role', async () => {
    provider.claims = { sub: 's-44', groups: ['staff'] }
    const { back, cookie } = await atProvider()
    const answer = await sentBack(back, cookie)
    expect([answer.status, answer.cookie]).toEqual([403, null])
  })

  test('signs in again once the grants are others, and until then goes on', async () => {
    const { back, cookie } = await atProvider()
    const { cookie: session } = await sentBack(back, cookie)
    const { issuer, clientId, clientSecret } = provider
    const served = (grants: object[]) => {
      const auth = { local: false, oidc: { issuer, clientId, clientSecret, grants } }
      return serveConsole(console.world.app, consoleSchema.parse({ port: 0, url, auth }))
    }
    for (const [grants, status] of [
      [theGrants, 200],
      [[theGrants[0], { of: 'it', role: 'viewer' }], 303],
      // Somebody may still do the same, but not by the group of this person.
      [[theGrants[0], { of: 'board', role: 'operator' }], 303],
    ] as const) {
      await using restarted = await served(grants as object[])
      const own = { host: 'credentials.example.edu', origin: 'https://credentials.example.edu' }
      expect((await askConsole(restarted.port, '/', { cookie: session ?? '' }, own)).status).toBe(status)
    }
  })

  test('comes back once, and only in the browser that went', async () => {
    const { back, cookie } = await atProvider()
    const { cookie: anotherCookie } = await atProvider()
    for (const stranger of [undefined, anotherCookie, 'credsync-development-oidc=x', `${cookie}; ${anotherCookie}`]) {
      const answer = await sentBack(back, stranger)
      expect([answer.status, answer.cookie]).toEqual([403, null])
    }
    expect((await sentBack(back, cookie)).status).toBe(303)
    const again = await sentBack(back, cookie)
    expect([again.status, again.cookie]).toEqual([403, null])
  })

  test.each<[string, () => Promise<TestProvider['forge']>]>([
    ['of another request', async () => ({ nonce: 'another' })],
    ['for another client', async () => ({ audience: 'another' })],
    ['of another issuer', async () => ({ issuer: 'https://evil.example' })],
    ['that is over', async () => ({ expires: '-10m' })],
    ['signed by another key', async () => ({ key: (await generateKeyPair('RS256')).privateKey })],
  ])('is refused with a token %s', async (_, forge) => {
    provider.forge = await forge()
    const { back, cookie } = await atProvider()
    const answer = await sentBack(back, cookie)
    expect([answer.status, answer.cookie]).toEqual([403, null])
    expect(answer.text).toContain('did not succeed')
  })

  test('cannot sign in with a password where local users are not allowed', async () => {
    expect((await console.ask('/sign-in', { form: { name: 'ada', password: 'x' } })).status).toBe(404)
    const cookie = await console.signedIn('operator', { name: 'local' })
    expect((await console.ask('/', { cookie })).status).toBe(303)
    expect((await console.ask('/sign-in')).text).not.toContain('type="password"')
  })
})
