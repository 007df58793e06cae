// Who gets in: hosts, origins, sessions, links and passwords, and every way around them that an attacker would try.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleRole, consoleRoles } from '#src/extensions/console/ledger/local-users.ts'
import { sessionMs } from '#src/extensions/console/ledger/sessions.ts'
import { consoleRoutes } from '#src/extensions/console/routes.ts'
import { hashPassword } from '#src/extensions/console/security/password-hash.ts'
import { mostFailures } from '#src/extensions/console/security/sign-in-limits.ts'
import { invitePerson } from '#src/extensions/console/sign-in/invite-person.ts'
import { type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { untilLocksWait } from '#test/support/until-locks-wait.ts'

describeWithDatabase('the console', () => {
  let console: ConsoleWorld
  const cookies = {} as Record<ConsoleRole, string>

  beforeAll(async () => {
    console = await openConsoleWorld()
    await publish(console.world.app.ledger, recipients(1))
    for (const role of consoleRoles) cookies[role] = await console.signedIn(role)
  })
  afterAll(() => console[Symbol.asyncDispose]())

  test('has no page without a role', async () => {
    expect((await console.ask('/nothing')).status).toBe(404)
    expect(consoleRoutes.filter(({ role }) => role === 'anyone').map(({ path }) => path)).toEqual([
      ...['/sign-in', '/sign-in', '/sign-in/oidc', '/sign-in/oidc/callback', '/welcome', '/welcome'],
    ])
  })

  test('refuses every request for another host, before it looks at the session', async () => {
    for (const host of ['evil.example', `evil.example:${console.port}`, `127.0.0.1:${console.port + 1}`]) {
      const answer = await console.ask('/runs', { cookie: cookies.operator, headers: { host } })
      expect(answer.status).toBe(421)
      expect(answer.text).not.toContain('people.csv')
    }
    expect((await console.ask('/style.css', { headers: { host: 'evil.example' } })).status).toBe(421)
  })

  test('refuses forms of other pages', async () => {
    const form = { who: 'ada@example.org' }
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign)
      expect((await console.ask('/people', { cookie: cookies.operator, form, headers })).status).toBe(403)
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect((await console.ask('/people', { cookie: cookies.operator, method })).status).toBe(403)
  })

  test('takes forms only, and short ones', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await console.ask('/people', { cookie: cookies.operator, form: { who: 'x' }, headers })).status).toBe(415)
    expect((await console.ask('/people', { cookie: cookies.operator, form: { who: 'x'.repeat(20_000) } })).status).toBe(
      413,
    )
  })

  test('refuses a NUL byte, which no text of the ledger can have', async () => {
    for (const path of ['/runs?name=%00', '/runs/%00', '/held?after=%00'])
      expect((await console.ask(path, { cookie: cookies.operator })).status).toBe(400)
    expect((await console.ask('/people', { cookie: cookies.operator, form: { who: '\0' } })).status).toBeLessThan(500)
    expect((await console.ask('/sign-in', { form: { name: 'a\0%00', password: 'x' } })).status).toBe(403)
  })

  test('begins anew where an address is malformed', async () => {
    const times = ['0000-01-01T00:00:00.000000Z', '9999-99-99T99:99:99.000000Z', 'x']
    const places = times.flatMap((time) => ['', ' 1', ` ${'-'.repeat(36)}`].map((rest) => `${time}${rest}`))
    const pages = ['/runs?before=', '/held?after=', '/corrections?before=', '/log?before=']
    const addresses = pages.flatMap((page) => places.map((place) => page + encodeURIComponent(place)))
    for (const address of addresses)
      expect([address, (await console.ask(address, { cookie: cookies.operator })).status]).toEqual([address, 200])
  })

  test('says in every answer what a browser may do with it', async () => {
    for (const path of ['/', '/sign-in', '/nothing', '/console.css']) {
      const { headers } = await console.ask(path, { cookie: cookies.operator })
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['content-security-policy']).not.toMatch(/unsafe|upgrade-insecure|\*/)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' })
    }
    expect((await console.ask('/', { cookie: cookies.operator })).headers['cache-control']).toBe('no-store')
  })

  test('ends a session when the person signs out', async () => {
    const cookie = await console.signedIn('viewer', { name: 'leaving' })
    expect((await console.ask('/', { cookie })).status).toBe(200)
    const left = await console.ask('/sign-out', { cookie, form: {} })
    expect(left.headers['set-cookie']?.[0]).toContain('Max-Age=0')
    expect((await console.ask('/', { cookie })).headers.location).toBe('/sign-in')
    expect((await console.ask('/overview', { cookie })).status).toBe(401)
  })

  test('ends the sessions of a person who is removed, or whose role changes at once', async () => {
    const cookie = await console.signedIn('operator', { name: 'moving' })
    expect((await console.ask('/log', { cookie })).status).toBe(200)
    await console.world.app.database.query(`UPDATE credsync.console_person SET role = 'viewer' WHERE name = 'moving'`)
    expect((await console.ask('/log', { cookie })).status).toBe(403)
    await console.world.app.ledger.consolePeople.remove('moving')
    expect((await console.ask('/', { cookie })).status).toBe(303)
  })

  test('lets nobody in by a password that ends at the same time', async () => {
    const { database } = console.world.app
    const password = 'a long enough password'
    await console.signedIn('operator', { name: 'late' })
    await database.query(`UPDATE credsync.console_person SET password = $1 WHERE name = 'late'`, [
      await hashPassword(password),
    ])
    const signIn = () => console.ask('/sign-in', { form: { name: 'late', password } })
    expect((await signIn()).status).toBe(303)
    // As adding the person again does it.
    const { reset, answer } = await database.transaction(async (sql) => {
      const reset = await sql.query(`UPDATE credsync.console_person SET password = NULL WHERE name = 'late'`)
      await sql.query(`DELETE FROM credsync.console_session WHERE name = 'late'`)
      const answer = signIn()
      await Promise.race([answer, untilLocksWait(database, 1)])
      return { reset, answer: { promise: answer } }
    })
    const { status, cookie } = await answer.promise
    expect([reset.rowCount, status, cookie]).toEqual([1, 403, null])
    const { rowCount } = await database.query(`SELECT FROM credsync.console_session WHERE name = 'late'`)
    expect(rowCount).toBe(0)
  })

  test('lets a link be used once, within an hour', async () => {
    const { ledger } = console.world.app
    const clock = { ...console.world.app.clock, now: console.now }
    const path = await invitePerson({ ledger, clock }, { name: 'grace', role: 'operator', pipelines: null }, 'test')
    const link = new URL(path, 'http://x').searchParams.get('link') ?? ''
    const good = { link, password: 'a long enough password', again: 'a long enough password' }
    expect((await console.ask(path)).text).toContain('Set your password')
    const unfit = await console.ask('/welcome', { form: { ...good, again: 'another password' } })
    expect([unfit.status, unfit.text]).toEqual([422, expect.stringContaining('differ')])
    const set = await console.ask('/welcome', { form: good })
    expect(set.status).toBe(303)
    expect((await console.ask('/', { cookie: set.cookie ?? '' })).text).toContain('grace')
    expect(await ledger.consolePeople.passwordOf('grace')).toMatch(/^scrypt\$65536\$8\$/)
    expect((await console.ask(path)).status).toBe(410)
    const again = await console.ask('/welcome', {
      form: { ...good, password: 'a stranger has it', again: 'a stranger has it' },
    })
    expect([again.status, again.cookie]).toEqual([410, null])

    const signIn = { name: 'grace', password: good.password, to: '/runs' }
    const entered = await console.ask('/sign-in', { form: signIn })
    expect([entered.status, entered.headers.location]).toEqual([303, '/runs'])
    const wrong = await console.ask('/sign-in', { form: { ...signIn, password: 'a stranger has it' } })
    expect([wrong.status, wrong.cookie]).toEqual([403, null])
    const unknown = await console.ask('/sign-in', { form: { ...signIn, name: 'nobody' } })
    expect(unknown.text.replaceAll('nobody', 'grace')).toBe(wrong.text)

    // A new link ends the password and every session.
    const late = await invitePerson({ ledger, clock }, { name: 'grace', role: 'viewer', pipelines: null }, 'test')
    expect((await console.ask('/', { cookie: entered.cookie ?? '' })).status).toBe(303)
    expect((await console.ask('/sign-in', { form: signIn })).status).toBe(403)
    console.advance(3_600_000)
    expect((await console.ask(late)).status).toBe(410)
  })

  test('counts nobody who signs in as one who guesses, and takes a good link after many old ones', async () => {
    const { ledger } = console.world.app
    const clock = { ...console.world.app.clock, now: console.now }
    const invite = async () => {
      const path = await invitePerson({ ledger, clock }, { name: 'many', role: 'viewer', pipelines: null }, 'test')
      return new URL(path, 'http://x').searchParams.get('link') ?? ''
    }
    const password = 'a long enough password'
    const old = await invite()
    const link = await invite()
    const set = (link: string) => console.ask('/welcome', { form: { link, password, again: password } })
    for (let at = 0; at < mostFailures.address; at++) expect((await set(old)).status).toBe(410)
    expect((await set(link)).status).toBe(303)
    const signIn = async () => (await console.ask('/sign-in', { form: { name: 'many', password } })).status
    for (let at = 0; at < mostFailures.pair + 1; at++) expect(await signIn()).toBe(303)
  })

  test('believes no forged header', async () => {
    const headers = {
      'x-forwarded-user': 'eve',
      'x-forwarded-groups': 'it',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '10.0.0.1',
    }
    expect((await console.ask('/', { headers })).headers.location).toBe('/sign-in')
  })

  test('ends a session after half an hour without a page, and after twelve hours', async () => {
    const idle = await console.signedIn('viewer', { name: 'idle' })
    const busy = await console.signedIn('viewer', { name: 'busy' })
    for (let at = 0; at < 3; at++) {
      console.advance(sessionMs.idle - 60_000)
      // What a page asks for by itself keeps no session alive.
      await console.ask('/overview', { cookie: idle })
      expect((await console.ask('/', { cookie: busy })).status).toBe(200)
    }
    expect((await console.ask('/', { cookie: idle })).status).toBe(303)
    for (let passed = 3; passed < 24; passed++) {
      console.advance(sessionMs.idle - 60_000)
      await console.ask('/', { cookie: busy })
    }
    console.advance(24 * 60_000)
    expect((await console.ask('/', { cookie: busy })).status).toBe(303)
  })
})
