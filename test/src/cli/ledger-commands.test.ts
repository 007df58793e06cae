// The commands status and explain, which read the ledger, and reconcile, which also reads the service.

import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { issue, openWorkspace, people, peopleAndOneWrong } from './cli-workspace.ts'
import { readDocument } from './run-document.ts'
import { runInProcess } from './run-in-process.ts'

const config = ['--config', 'credsync.yaml']

describeWithDatabase('credsync status and explain', () => {
  test('show what was issued without needing keys or the service', async () => {
    const workspace = await openWorkspace()
    const issued = await workspace.run(
      issue(await workspace.write('people.csv', peopleAndOneWrong(2)), '--wait', '--json'),
    )
    const document = readDocument(issued.stdout)
    await workspace.sandbox.close()
    const withoutKeys = { CREDSYNC_KEY: '', CREDSYNC_SECRET: '', CREDSYNC_BASE_URL: '' }
    const runWithoutKeys = (...args: string[]) => workspace.run(args, withoutKeys)

    const [list, listJson, one, oneJson, noRun, byMail, byId, person, nobody] = await Promise.all([
      runWithoutKeys('status'),
      runWithoutKeys('status', '--json'),
      runWithoutKeys('status', '--run', document.run),
      runWithoutKeys('status', '--run', document.run, '--json'),
      runWithoutKeys('status', '--run', '00000000-0000-4000-8000-000000000001', '--json'),
      runWithoutKeys('explain', 'PERSON.1@example.org', '--json'),
      runWithoutKeys('explain', 'i1', '--json'),
      runWithoutKeys('explain', 'person.2@example.org'),
      runWithoutKeys('explain', 'nobody@example.org', '--json'),
    ])
    expect(list.stdout).toMatch(
      new RegExp(`^${document.run} .* spring  people\\.csv  2/2 settled: 2 issued, 1 invalid\\n$`),
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
    expect(nobody.stderr).toContain('No one in the ledger matches that.')
    // The argument may be a person's address, so it is not repeated in the error.
    expect(nobody.stderr + nobody.stdout).not.toContain('nobody@example.org')
    const codes = [list, listJson, one, oneJson, noRun, byMail, byId, person, nobody].map((each) => each.code)
    expect(codes).toEqual([0, 0, 0, 0, 2, 0, 0, 0, 2])
  })

  test('show why a file was refused, instead of counts', async () => {
    const workspace = await openWorkspace()
    const refused = await workspace.run(issue(await workspace.write('empty.csv', ''), '--json'))
    const { run } = readDocument(refused.stdout)
    const [list, one] = await Promise.all([workspace.run(['status']), workspace.run(['status', '--run', run])])
    expect(list.stdout).toMatch(/ spring {2}empty\.csv {2}refused: [^\n]+\.\n$/)
    expect(one.stdout).toMatch(/^empty\.csv → spring \(run .+\)\n {2}refused: .+\n {2}received .+\n$/)
    expect(list.stdout + one.stdout).not.toMatch(/issued|accepted/)
  })

  test('show the 20 runs that were received last, the last one first', async () => {
    await using ledger = await openTestLedger()
    await ledger.database.query(
      `INSERT INTO run (environment, pipeline, source_name, source_path, source_sha256, received_at)
       SELECT 'development', 'spring', n || '.csv', '/a', n, timestamptz '2026-03-01Z' + n * interval '1 hour' FROM generate_series(1, 21) n`,
    )
    const { stdout } = await runInProcess(['status', '--json'], { cwd: tmpdir(), env: { DATABASE_URL: ledger.url } })
    const sources = JSON.parse(stdout).runs.map(({ source }: { source: string }) => source)
    expect(sources).toEqual(Array.from({ length: 20 }, (_, index) => `${21 - index}.csv`))
  })

  test('report an empty or unreachable ledger, without the password', async () => {
    const workspace = await openWorkspace()
    const unreachableDatabase = { DATABASE_URL: 'postgres://me:planted-password@127.0.0.1:9/x' }
    const [empty, unreachable] = await Promise.all([
      workspace.run(['status']),
      workspace.run(['status'], unreachableDatabase),
    ])
    expect(empty.stdout).toContain('There are no runs yet.')
    expect(empty.code).toBe(0)
    expect(unreachable.stderr).toContain(
      'PostgreSQL cannot be used (ECONNREFUSED): no connection to the server can be made. Check DATABASE_URL',
    )
    expect(unreachable.stderr).not.toContain('planted')
    expect(unreachable.code).toBe(2)
  })
})

describeWithDatabase('credsync reconcile --once', () => {
  test('settles the rows that the report shows, and then has nothing left to do', async () => {
    // The worker reads the report so rarely that `issue` returns before it does, and only `reconcile` reads it.
    const rareReadings = { reconcile: { every: '1h', slowest: '2h' }, web: { port: 0 } }
    const workspace = await openWorkspace({
      file: rareReadings,
      sandbox: { pace: { queueMs: 1, progressMs: 1 }, reportLagMs: 1 },
    })
    const issued = readDocument(
      (await workspace.run(issue(await workspace.write('people.csv', people(2)), '--json'))).stdout,
    )
    expect(issued.states.requested).toBe(2)

    const first = await workspace.run(['reconcile', '--once', '--json', ...config])
    expect(JSON.parse(first.stdout)).toEqual({ complete: true, openBefore: 2, openAfter: 0, unsent: 0 })
    expect(first.stderr).toContain('2 of 2 open rows settled, 0 are still open.')
    const second = await workspace.run(['reconcile', '--once', ...config])
    expect(second.stderr).toContain('Nothing is open')
    expect([first.code, second.code]).toEqual([0, 0])
    const { states } = JSON.parse((await workspace.run(['status', '--run', issued.run, '--json'])).stdout)
    expect(states.issued).toBe(2)
  })
})
