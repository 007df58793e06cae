// credsync issue as a script runs it: its output and exit code for each result.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openWorkspace, people, peopleAndOneWrong, silentReport } from './cli-workspace.ts'
import { readDocument } from './run-document.ts'

const unreachable = 'http://127.0.0.1:9'

describeWithDatabase('credsync issue --json', () => {
  test('exits with 0 when every row is issued, and the same file again skips them all', async () => {
    const workspace = await openWorkspace()
    const file = await workspace.write('people.csv', people(3))
    const first = await workspace.run(issue(file, '--wait', '--json'))
    const document = readDocument(first.stdout)
    expect(document).toMatchObject({ pipeline: 'spring', source: 'people.csv', rows: 3, accepted: 3, balanced: true })
    expect(document.states.issued).toBe(3)
    expect(document.invalidRows).toBeNull()
    expect(await readFile(document.results, 'utf8')).toContain('person.3@example.org')
    expect(first.stderr).toContain('3 rows = 3 accepted + 0 invalid + 0 skipped')
    expect(first.code).toBe(0)

    const second = await workspace.run(issue(file, '--wait', '--json'))
    expect(readDocument(second.stdout)).toMatchObject({ rows: 3, skipped: 3, accepted: 0, balanced: true })
    expect(second.code).toBe(0)
    expect(workspace.sandbox.requests()).toHaveLength(3)
  })

  test('returns once every row is sent, without --wait', async () => {
    const workspace = await openWorkspace({ sandbox: silentReport })
    const ended = await workspace.run(issue(await workspace.write('people.csv', people(2)), '--json'))
    expect(readDocument(ended.stdout).states).toMatchObject({ pending: 0, sending: 0, requested: 2, issued: 0 })
    expect(ended.code).toBe(0)
  })

  test('exits with 3 if rows are invalid, and says where these rows are', async () => {
    const workspace = await openWorkspace()
    const ended = await workspace.run(
      issue(await workspace.write('people.csv', peopleAndOneWrong(2)), '--wait', '--json'),
    )
    const document = readDocument(ended.stdout)
    expect(document).toMatchObject({ rows: 3, invalid: 1, accepted: 2, balanced: true })
    expect(await readFile(document.invalidRows, 'utf8')).toContain('not-an-address')
    expect(ended.stderr).toContain('1 row needs attention: 1 invalid')
    expect(document.problems).toEqual([
      { field: 'Email', rule: 'email', rows: 1, examples: [4], value: 'n… (14 characters)' },
    ])
    const line = '  1 row: “Email” is not an e-mail address; row 4 (n… (14 characters))'
    expect(ended.stderr).toContain(line)
    const status = await workspace.run(['status', '--run', document.run])
    expect(status.stdout).toContain(line)
    const json = await workspace.run(['status', '--run', document.run, '--json'])
    expect(JSON.parse(json.stdout).problems).toEqual(document.problems)
    expect(ended.code).toBe(3)
  })

  test('exits with 2 if the file is refused, and says why', async () => {
    const workspace = await openWorkspace()
    const ended = await workspace.run(issue(await workspace.write('empty.csv', ''), '--wait', '--json'))
    expect(readDocument(ended.stdout)).toMatchObject({ source: 'empty.csv', rows: 0, accepted: 0, results: null })
    expect(ended.stderr).toMatch(/empty\.csv was refused\. .+/)
    expect(ended.code).toBe(2)
    expect(workspace.sandbox.journal().invitesAccepted).toBe(0)
  })

  test('exits with 5 if the timeout expires first', async () => {
    const workspace = await openWorkspace({ sandbox: silentReport })
    const ended = await workspace.run(
      issue(await workspace.write('people.csv', people(2)), '--wait', '--timeout', '1s', '--json'),
    )
    readDocument(ended.stdout)
    expect(ended.stderr).toContain('The timeout expired before the run was finished.')
    expect(ended.code).toBe(5)
  })

  test('exits with 4 if the service is unavailable, and accepts nothing', async () => {
    const workspace = await openWorkspace()
    const file = await workspace.write('people.csv', people(1))
    const ended = await workspace.run(issue(file, '--wait', '--json'), { CREDSYNC_BASE_URL: unreachable })
    expect(readDocument(ended.stdout)).toMatchObject({ run: null, source: 'people.csv', rows: 0, balanced: false })
    expect(ended.stderr).toContain('The service gave no usable answer')
    expect(ended.code).toBe(4)
    const status = await workspace.run(['status', '--json'])
    expect(JSON.parse(status.stdout)).toEqual({ runs: [], workers: [] })
  })

  test('exits with 4 if the service refuses our keys, and prints neither key nor secret', async () => {
    const workspace = await openWorkspace()
    const file = await workspace.write('people.csv', people(1))
    const keys = { CREDSYNC_KEY: 'planted-key', CREDSYNC_SECRET: 'planted-secret' }
    const ended = await workspace.run(issue(file, '--wait', '--json'), keys)
    expect(readDocument(ended.stdout)).toMatchObject({ run: null, rows: 0, balanced: false })
    expect(ended.stderr).toContain('The service refused the access key and secret')
    expect(ended.stdout + ended.stderr).not.toContain('planted')
    expect(ended.code).toBe(4)
  })

  test('exits with 130 on Ctrl-C, reports what is left, and the same command continues the same run', async () => {
    const workspace = await openWorkspace({ sandbox: silentReport })
    const file = await workspace.write('people.csv', people(3))
    const running = workspace.start(issue(file, '--wait', '--json'), { CREDSYNC_LOG_LEVEL: 'info' })
    // The first person is sent alone, the other two together.
    await running.waitForOutput(/"event":"attempt.sent".*"size":2/)
    running.signal('SIGINT', 'group')
    const ended = await running.ended
    const document = readDocument(ended.stdout)
    expect(document).toMatchObject({ rows: 3, accepted: 3, states: { requested: 3 } })
    expect(ended.stderr).toContain('Stopped. 0 rows are still to be sent and 3 to be followed; the same command')
    expect(ended.code).toBe(130)

    const again = await workspace.run(issue(file, '--json'))
    expect(readDocument(again.stdout).run).toBe(document.run)
    expect(again.stderr).toContain(`This file is already being issued (run ${document.run})`)
    expect(workspace.sandbox.requests()).toHaveLength(3)
  })
})
