// Every route of the console in every role, and for a registrar of another pipeline. The cases are made from the table of
// routes, and a route without a rule fails.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleRole, consoleRoles } from '#src/extensions/console/ledger/local-users.ts'
import { consoleRoutes, type Route } from '#src/extensions/console/routes.ts'
import { issueElsewhere, students } from '#test/src/cli/issued-elsewhere.ts'
import { addRun } from '#test/support/add-run.ts'
import { type ConsoleAnswer, type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const reasonless = { seen: '', answer: 'sent', reason: '' }
/** What is asked for each route, and what an answer for those who may is. A decision without a reason changes nothing. */
const asked: Readonly<Record<string, { of: string; form?: Record<string, string>; ok: number[] }>> = {
  'GET /sign-in': { of: '', ok: [200, 303] },
  'POST /sign-in': { of: '', form: {}, ok: [403] },
  'GET /sign-in/oidc': { of: '', ok: [404] },
  'GET /sign-in/oidc/callback': { of: '', ok: [404] },
  'GET /welcome': { of: '', ok: [410] },
  'POST /welcome': { of: '', form: {}, ok: [410, 422] },
  'POST /sign-out': { of: '', form: {}, ok: [303] },
  'GET /account': { of: '', ok: [200] },
  'POST /account/password': { of: '', form: {}, ok: [422] },
  'GET /': { of: '', ok: [200] },
  'GET /overview': { of: '', ok: [200] },
  'GET /runs': { of: '', ok: [200] },
  'GET /runs/:id': { of: 'run', ok: [200] },
  'GET /runs/:id/progress': { of: 'run', ok: [200] },
  'GET /runs/:id/results': { of: 'run', ok: [200] },
  // The published list has no invalid row, so there is no such file.
  'GET /runs/:id/invalid': { of: 'run', ok: [404] },
  'GET /people': { of: '', ok: [200] },
  'POST /people': { of: '', form: { who: 'person.1@example.org' }, ok: [303] },
  'GET /people/:id': { of: 'i1', ok: [200] },
  'GET /held': { of: '', ok: [200] },
  'GET /log': { of: '', ok: [200] },
  'GET /runs/:id/approve': { of: 'braked', ok: [200] },
  'POST /runs/:id/approve': { of: 'braked', form: reasonless, ok: [422] },
  'GET /runs/:id/reject': { of: 'braked', ok: [200] },
  'POST /runs/:id/reject': { of: 'braked', form: reasonless, ok: [422] },
  'GET /runs/:id/retry': { of: 'run', ok: [200] },
  'POST /runs/:id/retry': { of: 'run', form: reasonless, ok: [422] },
  'GET /people/:id/retry': { of: 'i2', ok: [200] },
  'POST /people/:id/retry': { of: 'i2', form: reasonless, ok: [422] },
  'GET /held/:id': { of: 'i3', ok: [200] },
  'POST /held/:id': { of: 'i3', form: reasonless, ok: [422] },
  'GET /corrections': { of: '', ok: [200] },
  'GET /people/:id/revoke': { of: 'i4', ok: [200] },
  'POST /people/:id/revoke': { of: 'i4', form: reasonless, ok: [422] },
  'GET /people/:id/correct': { of: 'i4', ok: [200] },
  'POST /people/:id/correct': { of: 'i4', form: reasonless, ok: [409] },
  // No list was uploaded.
  'GET /upload': { of: '', ok: [200] },
  'POST /upload': { of: '', form: {}, ok: [422] },
  ...Object.fromEntries(
    [
      'GET /upload/:id',
      'GET /upload/:id/progress',
      ...['show', 'rehearse', 'issue', 'discard'].map((what) => `POST /upload/:id/${what}`),
    ].map((name) => [name, { of: 'none', ok: [404], ...(name.startsWith('POST') && { form: {} }) }]),
  ),
  'POST /people/:id/correct/issue': { of: 'i4', form: { ...reasonless, 'set.Last Name': 'Byron' }, ok: [422] },
}

describeWithDatabase('the routes of the console', () => {
  let console: ConsoleWorld
  const ids = {} as Record<'run' | 'braked', string>
  const cookies = {} as Record<ConsoleRole, string>

  beforeAll(async () => {
    console = await openConsoleWorld({ morePipelines: (first) => ({ autumn: first }) })
    const { ledger, database } = console.world.app
    ids.run = await publish(ledger, recipients(4), { course: console.world.sandbox.courses[0]?.uuid ?? '' })
    ids.braked = await addRun(database, 'large.csv', { state: 'braked' })
    await withoutTriggers(
      database,
      `UPDATE credsync.issuance SET state = CASE id WHEN 1 THEN 'pending' WHEN 2 THEN 'failed' WHEN 3 THEN 'held' ELSE 'issued' END,
         credential_id = CASE id WHEN 4 THEN '1111-4' END`,
    )
    for (const role of consoleRoles) cookies[role] = await console.signedIn(role)
  })
  afterAll(() => console[Symbol.asyncDispose]())

  const pathOf = (path: string, of: string) => path.replace(':id', ids[of as keyof typeof ids] ?? of)
  test('has a rule for every route', () => {
    expect(Object.keys(asked).sort()).toEqual(consoleRoutes.map(nameOf).sort())
  })

  test.each(consoleRoutes.map((route) => [nameOf(route), route] as const))('%s in every role', async (name, route) => {
    const { of = '', form, ok = [] } = asked[name] ?? {}
    const ask = (cookie?: string) => console.ask(pathOf(route.path, of), { cookie, ...(form && { form }) })
    const leadsToSignIn = ({ status, headers }: ConsoleAnswer) =>
      status === 303 && String(headers.location).startsWith('/sign-in')
    const stranger = await ask()
    if (route.role === 'anyone') return expect(ok).toContain(stranger.status)
    expect(leadsToSignIn(stranger) || stranger.status === 401).toBe(true)
    for (const role of consoleRoles) {
      // Signing out would end the session of the other routes.
      const cookie = route.path === '/sign-out' ? await console.signedIn(role, { name: 'guest' }) : cookies[role]
      const answer = await ask(cookie)
      const mayOpen = consoleRoles.indexOf(role) >= consoleRoles.indexOf(route.role)
      expect([role, answer.status]).toEqual([role, mayOpen ? expect.toSatisfy((status) => ok.includes(status)) : 403])
      expect(leadsToSignIn(answer)).toBe(route.path === '/sign-out')
    }
  })

  test('keep a session alive, but for the parts that an open page asks for by itself', async () => {
    const { database } = console.world.app
    const cookie = await console.signedIn('operator', { name: 'away' })
    const isPart = ({ path }: Route) => /\/(overview|progress)$/.test(path)
    const found: Record<string, boolean> = {}
    const routes = consoleRoutes.filter(({ path }) => path !== '/sign-out')
    for (const route of routes) {
      const { of = '', form } = asked[nameOf(route)] ?? {}
      await database.query(
        `UPDATE credsync.console_session SET seen_at = began_at - interval '2 minutes' WHERE name = 'away'`,
      )
      await console.ask(pathOf(route.path, of), { cookie, ...(form && { form }) })
      const { rows } = await database.query<{ alone: boolean }>(
        `SELECT seen_at < began_at AS alone FROM credsync.console_session WHERE name = 'away'`,
      )
      found[nameOf(route)] = rows[0]?.alone ?? false
    }
    expect(found).toEqual(Object.fromEntries(routes.map((route) => [nameOf(route), isPart(route)])))
  })

  const ofOthers = consoleRoutes.filter(({ path, role }) => path.includes(':id') && role !== 'operator')
  test.each(ofOthers.map((route) => [nameOf(route), route] as const))(
    '%s for a registrar of another pipeline',
    async (name, route) => {
      const { of = '', form } = asked[name] ?? {}
      const cookie = await console.signedIn('registrar', { name: 'autumn', pipelines: ['autumn'] })
      const filled = form && { form: { ...form, reason: 'because' } }
      expect((await console.ask(pathOf(route.path, of), { cookie, ...filled })).status).toBe(404)
    },
  )

  test('show items of the report to those who see their course only', async () => {
    const { sandbox, app } = console.world
    await issueElsewhere(console.world, students(1, 3), 0)
    await issueElsewhere(console.world, students(1, 3), 1)
    const [own, other] = sandbox.courses
    const limited = await console.signedIn('registrar', { name: 'limited', pipelines: ['spring'] })
    const shown = async (cookie: string) => {
      const { text } = await console.ask('/held/i3', { cookie })
      return [own, other].map((course) => text.includes(`>${course?.name}<`))
    }
    // Until the report has shown under which name it has a course, an item of another name may be of it.
    expect([await shown(limited), await shown(cookies.operator)]).toEqual([
      [true, true],
      [true, true],
    ])
    const learnName = (course: typeof own) =>
      app.database.query(
        `INSERT INTO credsync.course (environment, course_uuid, certificate_name) VALUES ('development', $1, $2)
         ON CONFLICT (environment, course_uuid) DO UPDATE SET certificate_name = excluded.certificate_name`,
        [course?.uuid, course?.name],
      )
    // A course whose name is that of another one never learns it, so the item of a known name may be of either.
    await learnName(other)
    expect(await shown(limited)).toEqual([true, true])
    await learnName(own)
    expect([await shown(limited), await shown(cookies.operator)]).toEqual([
      [true, false],
      [true, true],
    ])
    expect((await console.ask('/held/i3', { cookie: limited })).text).toContain('1 more item of a person')
    // An item that an issuance of another pipeline has.
    await withoutTriggers(
      app.database,
      `UPDATE credsync.issuance SET pipeline = 'autumn' WHERE id = 4;
       INSERT INTO credsync.report_claim (environment, item_key, issuance_id, fingerprint) VALUES ('development', '${sandbox.requests()[0]?.entityUuid}', 4, 'x')`,
    )
    expect(await shown(limited)).toEqual([false, false])
  })

  test('changed nothing by what nobody may, and by what has no reason', async () => {
    const { rows } = await console.world.app.database.query<{ of: string }>(
      `SELECT state AS of FROM credsync.issuance UNION ALL SELECT state FROM credsync.run UNION ALL SELECT 'revocation' FROM credsync.revocation`,
    )
    expect(rows.map(({ of }) => of)).toEqual(['pending', 'failed', 'held', 'issued', 'published', 'braked'])
  })

  test('lets viewers change nothing, registrars decide about rows, and only operators revoke, correct and read the log', () => {
    const pathsFor = (role: ConsoleRole) =>
      consoleRoutes.filter((route) => route.role === role && !route.path.startsWith('/upload'))
    const posts = (role: ConsoleRole) => pathsFor(role).flatMap(({ method, path }) => (method === 'POST' ? [path] : []))
    expect(posts('viewer')).toEqual(['/sign-out', '/account/password', '/people'])
    expect(posts('registrar').join(' ')).not.toMatch(/revoke|correct/)
    expect(posts('operator').join(' ')).not.toMatch(/approve|reject|retry|held/)
    expect(
      pathsFor('viewer')
        .map(({ path }) => path)
        .join(' '),
    ).not.toMatch(/results|invalid|log/)
    expect(consoleRoutes.filter(({ path, role }) => path.startsWith('/upload') && role !== 'registrar')).toEqual([])
    expect(pathsFor('operator').map(({ path }) => path)).toContain('/log')
  })

  test('show why a row is held, and its credential, to those who see names', async () => {
    await withoutTriggers(
      console.world.app.database,
      `UPDATE credsync.issuance SET reason = 'two items: 2222-3 and 2222-4', report_status = 'Completed', credential_id = '2222-3' WHERE id = 3;
       INSERT INTO credsync.report_claim (environment, item_key, issuance_id, fingerprint) VALUES ('development', 'item of the held row', 3, 'y')`,
    )
    const shown = async (role: ConsoleRole, path: string) => (await console.ask(path, { cookie: cookies[role] })).text
    for (const path of ['/held', '/people/i3']) {
      expect(await shown('viewer', path), path).toContain('i3')
      expect(await shown('viewer', path), path).not.toMatch(/2222|two items|item of the held row/)
      expect(await shown('registrar', path), path).toContain('wo items: 2222-3 and 2222-4')
    }
    expect(await shown('registrar', '/held/i3')).toContain('item of the held row (Completed, credential 2222-3)')
  })
})
