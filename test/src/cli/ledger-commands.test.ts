// The commands that read the ledger (status, explain), and reconcile, which reads the service too.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { readDocument } from './documents.ts'
import { issue, openPlace, people, peopleAndOneWrong } from './place.ts'

const config = ['--config', 'credsync.yaml']

describeWithDatabase('credsync status and explain', () => {
  test('tell what was issued, with no key and no service at hand', async () => {
    const place = await openPlace()
    const issued = await place.run(issue(await place.write('people.csv', peopleAndOneWrong(2)), '--wait', '--json'))
    const document = readDocument(issued.stdout)
    await place.sandbox.close()
    const bare = { CREDSYNC_KEY: '', CREDSYNC_SECRET: '', CREDSYNC_BASE_URL: '' }
    const ask = (...args: string[]) => place.run(args, bare)

    const [list, listJson, one, oneJson, noRun, byMail, byId, person, nobody] = await Promise.all([
      ask('status'),
      ask('status', '--json'),
      ask('status', '--run', document.run),
      ask('status', '--run', document.run, '--json'),
      ask('status', '--run', '00000000-0000-4000-8000-000000000001', '--json'),
      ask('explain', 'PERSON.1@example.org', '--json'),
      ask('explain', 'i1', '--json'),
      ask('explain', 'person.2@example.org'),
      ask('explain', 'nobody@example.org', '--json'),
    ])
    expect(list.stdout).toMatch(
      new RegExp(`^${document.run} .* spring  people\\.csv  2/2 at rest: 2 issued, 1 invalid\\n$`),
    )
    expect(JSON.parse(listJson.stdout).runs).toEqual([
      {
        ...document,
        state: 'published',
        received: expect.any(String),
        settled: expect.any(String),
        refusal: null,
        notices: expect.any(Array),
      },
    ])
    expect(one.stdout).toContain('3 rows = 2 accepted + 1 invalid + 0 skipped')
    expect(JSON.parse(oneJson.stdout)).toMatchObject(document)
    expect(noRun.stderr).toContain('The ledger has no run 00000000-0000-4000-8000-000000000001.')
    expect(JSON.parse(noRun.stdout).error.code).toBe(2)

    const [first] = JSON.parse(byMail.stdout).issuances
    expect(first).toMatchObject({ id: 'i1', state: 'issued', row: 2, source: 'people.csv', run: document.run })
    expect(first.history.map((line: { to: string }) => line.to)).toEqual(
      expect.arrayContaining(['pending', 'sending', 'requested', 'issued']),
    )
    expect(JSON.parse(byId.stdout).issuances).toEqual([first])
    expect(person.stdout).toMatch(/^i2: issued, from row 3 of people\.csv \(spring, development, run /)
    expect(person.stdout).toMatch(/^ {2}credential +\S+\n/m)
    expect(person.stdout).toMatch(/Z {2}call accepted: sending → requested /)
    expect(person.stdout).not.toMatch(/\n\n$/)
    expect(nobody.stderr).toContain('The ledger knows nobody by that.')
    // Who was asked for is a person: not even the refusal repeats it.
    expect(nobody.stderr + nobody.stdout).not.toContain('nobody@example.org')
    const codes = [list, listJson, one, oneJson, noRun, byMail, byId, person, nobody].map((each) => each.code)
    expect(codes).toEqual([0, 0, 0, 0, 2, 0, 0, 0, 2])
  })

  test('tell of a refused file why, instead of counts', async () => {
    const place = await openPlace()
    const refused = await place.run(issue(await place.write('empty.csv', ''), '--json'))
    const { run } = readDocument(refused.stdout)
    const [list, one] = await Promise.all([place.run(['status']), place.run(['status', '--run', run])])
    expect(list.stdout).toMatch(/ spring {2}empty\.csv {2}refused: [^\n]+\.\n$/)
    expect(one.stdout).toMatch(/^empty\.csv → spring \(run .+\)\n {2}refused: .+\n {2}received .+\n$/)
    expect(list.stdout + one.stdout).not.toMatch(/issued|accepted/)
  })

  test('say so when the ledger is empty or cannot be reached, without the password', async () => {
    const place = await openPlace()
    const away = { DATABASE_URL: 'postgres://me:planted-password@127.0.0.1:9/x' }
    const [empty, unreachable] = await Promise.all([place.run(['status']), place.run(['status'], away)])
    expect(empty.stdout).toContain('No run yet.')
    expect(empty.code).toBe(0)
    expect(unreachable.stderr).toContain('PostgreSQL cannot be used (ECONNREFUSED). Check DATABASE_URL')
    expect(unreachable.stderr).not.toContain('planted')
    expect(unreachable.code).toBe(2)
  })
})

describeWithDatabase('credsync reconcile --once', () => {
  test('settles what the report shows by now, and has nothing to do afterwards', async () => {
    // Far slower than the program: `issue` returns before the report shows anything, and never looks by itself.
    const slow = { reconcile: { every: '1h', slowest: '2h' }, web: { port: 0 } }
    const place = await openPlace({ file: slow, sandbox: { pace: { queueMs: 1, progressMs: 1 }, reportLagMs: 1 } })
    const issued = readDocument((await place.run(issue(await place.write('people.csv', people(2)), '--json'))).stdout)
    expect(issued.states.requested).toBe(2)

    const first = await place.run(['reconcile', '--once', '--json', ...config])
    expect(JSON.parse(first.stdout)).toEqual({ complete: true, openBefore: 2, openAfter: 0, unsent: 0 })
    expect(first.stderr).toContain('2 of 2 open rows came to rest, 0 are still open.')
    const second = await place.run(['reconcile', '--once', ...config])
    expect(second.stderr).toContain('Nothing is open')
    expect([first.code, second.code]).toEqual([0, 0])
    const { states } = JSON.parse((await place.run(['status', '--run', issued.run, '--json'])).stdout)
    expect(states.issued).toBe(2)
  })
})
