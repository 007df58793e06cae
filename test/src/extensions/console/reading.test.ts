// What the pages show to whom: names only to those who may see them, a registrar's own pipelines, and text from outside
// only as text.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConsoleRole } from '#src/extensions/console/ledger/local-users.ts'
import { consoleRoutes } from '#src/extensions/console/routes.ts'
import { type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { publish } from '#test/support/test-ledger.ts'

const evil = `<img src=x onerror=alert(1)>"'`
const person = (email: string, name = 'Ada') => ({
  Email: email,
  'First Name': name,
  'Last Name': 'Lovelace',
  'Primary Value': 'Email',
})

describeWithDatabase('the console shows', () => {
  let console: ConsoleWorld
  const runs = {} as Record<'spring' | 'autumn' | 'evil', string>
  const cookies = {} as Record<ConsoleRole, string>

  beforeAll(async () => {
    console = await openConsoleWorld({
      console: { timeZone: 'Europe/Berlin' },
      morePipelines: (first) => ({ autumn: first }),
    })
    const { ledger, database } = console.world.app
    runs.spring = await publish(ledger, [person('ada@example.org'), person('grace@example.org', 'Grace')], {
      name: 'spring.csv',
    })
    runs.autumn = await publish(ledger, [person('joan@example.org', 'Joan')], {
      name: 'autumn.csv',
      pipeline: 'autumn',
    })
    runs.evil = await publish(ledger, [person('eve@example.org', evil)], { name: `${evil}.csv` })
    await database.query(`UPDATE credsync.run SET notices = $2, refusal = $3 WHERE id = $1`, [
      runs.evil,
      JSON.stringify([evil]),
      evil,
    ])
    await database.query(`UPDATE credsync.issuance SET state = 'unconfirmed' WHERE id = 4`)
    await database.query(
      `UPDATE credsync.issuance SET state = 'held', reason = $1, event = $1, evidence = $2 WHERE id = 4`,
      [evil, JSON.stringify({ label: evil, by: evil })],
    )
    for (const role of ['viewer', 'registrar', 'operator'] as const) cookies[role] = await console.signedIn(role)
  })
  afterAll(() => console[Symbol.asyncDispose]())

  const shown = async (path: string, role: ConsoleRole) => (await console.ask(path, { cookie: cookies[role] })).text

  test('no markup from outside on any page', async () => {
    await console.ask('/people', { cookie: cookies.operator, form: { who: evil } })
    const paths = consoleRoutes
      .filter(({ method, path }) => method === 'GET' && path !== '/welcome')
      .map(({ path }) => path.replace('/runs/:id', `/runs/${runs.evil}`).replace('/people/:id', '/people/i4'))
    for (const path of [
      ...paths,
      `/runs?name=${encodeURIComponent(evil)}`,
      `/welcome?link=${encodeURIComponent(evil)}`,
      `/sign-in?to=${encodeURIComponent(evil)}`,
    ]) {
      const answer = await console.ask(path, { cookie: cookies.operator })
      const type = String(answer.headers['content-type'])
      if (type.startsWith('text/html')) expect(answer.text, path).not.toContain('<img')
    }
    for (const path of ['/runs', `/runs/${runs.evil}`, '/people/i4', '/held'])
      expect(await shown(path, 'operator'), path).toContain('&lt;img')
  })

  test('a viewer counts and states, but no names', async () => {
    for (const path of ['/', '/runs', `/runs/${runs.spring}`, '/people/i1', '/held']) {
      const text = await shown(path, 'viewer')
      expect(text, path).not.toMatch(/ada@example|grace@example|Lovelace|Ada\b/)
    }
    expect(await shown('/people/i1', 'viewer')).toContain('pending')
    expect(await shown('/people/i1', 'registrar')).toContain('Ada Lovelace')
    const found = await console.ask('/people', { cookie: cookies.viewer, form: { who: 'ada@example.org' } })
    expect(found.headers.location).toBe('/people/i1')
  })

  test('a registrar only its own pipelines', async () => {
    const list = await shown('/runs', 'registrar')
    expect(list).toContain('spring.csv')
    expect(list).not.toContain('autumn')
    expect(await shown('/', 'registrar')).not.toContain('autumn')
    for (const path of [
      `/runs/${runs.autumn}`,
      `/runs/${runs.autumn}/results`,
      `/runs/${runs.autumn}/progress`,
      '/people/i3',
    ])
      expect((await console.ask(path, { cookie: cookies.registrar })).status, path).toBe(404)
    const search = await console.ask('/people', { cookie: cookies.registrar, form: { who: 'joan@example.org' } })
    expect([search.status, search.text]).toEqual([404, expect.stringContaining('Nobody in the ledger')])
    expect(await shown('/runs?pipeline=autumn', 'registrar')).not.toContain('autumn.csv')
  })

  test('an operator everything', async () => {
    const list = await shown('/runs', 'operator')
    expect(list).toContain('spring.csv')
    expect(list).toContain('autumn.csv')
  })

  test('nothing of another environment', async () => {
    const { database } = console.world.app
    const { rows } = await database.query<{ id: string }>(
      `INSERT INTO credsync.run (environment, pipeline, source_name, source_path, source_sha256) VALUES ('production', 'spring', 'other.csv', '/x', 'x') RETURNING id`,
    )
    expect(await shown('/runs', 'operator')).not.toContain('other.csv')
    expect((await console.ask(`/runs/${rows[0]?.id}`, { cookie: cookies.operator })).status).toBe(404)
  })

  test('the runs that fit, page by page', async () => {
    expect(await shown('/runs?name=SPRING', 'operator')).toContain('spring.csv')
    expect(await shown('/runs?name=%25', 'operator')).toContain('No run matches')
    expect(await shown('/runs?state=refused', 'operator')).toContain('No run matches')
    expect(await shown('/runs?state=open&pipeline=autumn', 'operator')).toContain('autumn.csv')
    await console.world.app.database.query(
      `INSERT INTO credsync.run (environment, pipeline, source_name, source_path, source_sha256)
       SELECT 'development', 'autumn', 'night ' || n || '.csv', '/x', 'x' || n FROM generate_series(1, 60) n`,
    )
    const first = await shown('/runs', 'operator')
    const next = /<a href="(\/runs\?before=[^"]+)" rel="next">/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await shown(next, 'operator')
    const named = (text: string) =>
      [...text.matchAll(/>((?:night \d+|spring|autumn)\.csv)<\/a>/g)].map((match) => match[1])
    expect(named(first)).toHaveLength(50)
    expect(named(second)).toHaveLength(12)
    expect(new Set([...named(first), ...named(second)]).size).toBe(62)
  })

  test('files with every row, made from the ledger, and leaves none behind', async () => {
    const answer = await console.ask(`/runs/${runs.spring}/results`, { cookie: cookies.registrar })
    expect(answer.headers['content-disposition']).toContain(`spring.${runs.spring.slice(0, 8)}.results.csv`)
    expect(answer.text.split('\r\n').filter(Boolean)).toHaveLength(3)
    expect(await readdir(join(console.world.folder, 'console'))).toEqual([])
  })

  test('a file under the name of its list, for browsers that know only ASCII and for all others', async () => {
    const run = await publish(console.world.app.ledger, [], { name: "Prüfung (Anna's).csv" })
    const answer = await console.ask(`/runs/${run}/results`, { cookie: cookies.registrar })
    const end = `.${run.slice(0, 8)}.results.csv`
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="Pr_fung-Anna-s-${end}"; filename*=UTF-8''Pr%C3%BCfung-Anna-s-${end}`,
    )
  })

  test('a part that is asked for again only if it has changed', async () => {
    const path = `/runs/${runs.spring}/progress`
    const first = await console.ask(path, { cookie: cookies.viewer })
    expect(first.text).not.toMatch(/<form|<html/)
    const headers = { 'if-none-match': String(first.headers.etag) }
    expect((await console.ask(path, { cookie: cookies.viewer, headers })).status).toBe(304)
    await console.world.app.database.query(`UPDATE credsync.issuance SET state = 'unconfirmed' WHERE id = 1`)
    expect((await console.ask(path, { cookie: cookies.viewer, headers })).status).toBe(200)
  })

  test('who looked at whom, without the words of the search', async () => {
    const log = await shown('/log', 'operator')
    expect(log).toContain('Looked at a person.')
    expect(log).toContain('Downloaded the results.')
    expect(log).toContain('Searched for a person.')
    expect(log).not.toContain('@example.org')
  })

  test('acts of the same moment on one page, and none of them twice', async () => {
    const { ledger } = console.world.app
    const at = new Date('2026-01-05T12:00:00Z')
    for (let each = 0; each < 130; each++) await ledger.consoleActs.note({ by: 'ada', act: `act ${each}` }, at)
    const first = await ledger.consoleActs.page({ before: '2026-01-05T12:00:00.000001Z', limit: 100 })
    expect(first).toHaveLength(130)
    expect(await ledger.consoleActs.page({ before: first.at(-1)?.cursor ?? null, limit: 100 })).toEqual([])
  })

  test('what people decided by commands beside it', async () => {
    const { ledger } = console.world.app
    await ledger.decisions.resolve([4], 'sent', { by: 'margaret', why: 'seen in the portal' })
    const log = await shown('/log', 'operator')
    expect(log).toContain('A person decided: sent.')
    expect(log).toContain('seen in the portal')
  })

  test.each([
    ['request', null, 'Forgotten'],
    ['retention', 'spring', 'Expired'],
  ])(
    'of somebody whose data were deleted by %s when that was, and offers no decision',
    async (kind, pipeline, word) => {
      const { database } = console.world.app
      await database.query(
        `WITH x AS (INSERT INTO credsync.erasure (environment, kind, pipeline, requested_at, requested_by, reason)
         VALUES ('development', $1, $2, '2026-03-01T12:00:00Z', 'ada', 'a letter') RETURNING id)
       INSERT INTO credsync.erased_issuance (issuance_id, erasure_id) SELECT 4, id FROM x
       ON CONFLICT (issuance_id) DO UPDATE SET erasure_id = excluded.erasure_id`,
        [kind, pipeline],
      )
      const text = await shown('/people/i4', 'operator')
      expect(text).toMatch(new RegExp(`${word}<[\\s\\S]{0,40}on 2026-03-01: the data are deleted`))
    },
  )
})
