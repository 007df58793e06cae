// credsync issue, run as a script runs it: what it prints and how it ends, ending by ending.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { readDocument } from './documents.ts'
import { issue, openPlace, people, peopleAndOneWrong, silentReport } from './place.ts'

const nobody = 'http://127.0.0.1:9'

describeWithDatabase('credsync issue --json', () => {
  test('ends with 0 when every row is issued, and the same file again skips them all', async () => {
    const place = await openPlace()
    const file = await place.write('people.csv', people(3))
    const first = await place.run(issue(file, '--wait', '--json'))
    const document = readDocument(first.stdout)
    expect(document).toMatchObject({ pipeline: 'spring', source: 'people.csv', rows: 3, accepted: 3, balanced: true })
    expect(document.states.issued).toBe(3)
    expect(document.invalidRows).toBeNull()
    expect(await readFile(document.results, 'utf8')).toContain('person.3@example.org')
    expect(first.stderr).toContain('3 rows = 3 accepted + 0 invalid + 0 skipped')
    expect(first.code).toBe(0)

    const second = await place.run(issue(file, '--wait', '--json'))
    expect(readDocument(second.stdout)).toMatchObject({ rows: 3, skipped: 3, accepted: 0, balanced: true })
    expect(second.code).toBe(0)
    expect(place.sandbox.requests()).toHaveLength(3)
  })

  test('returns once every row is sent when it is not told to wait', async () => {
    const place = await openPlace({ sandbox: silentReport })
    const ended = await place.run(issue(await place.write('people.csv', people(2)), '--json'))
    expect(readDocument(ended.stdout).states).toMatchObject({ pending: 0, sending: 0, requested: 2, issued: 0 })
    expect(ended.code).toBe(0)
  })

  test('ends with 3 when rows are invalid, and says where they are', async () => {
    const place = await openPlace()
    const ended = await place.run(issue(await place.write('people.csv', peopleAndOneWrong(2)), '--wait', '--json'))
    const document = readDocument(ended.stdout)
    expect(document).toMatchObject({ rows: 3, invalid: 1, accepted: 2, balanced: true })
    expect(await readFile(document.invalidRows, 'utf8')).toContain('not-an-address')
    expect(ended.stderr).toContain('1 row needs a person: 1 invalid')
    expect(document.problems).toEqual([
      { field: 'Email', rule: 'email', rows: 1, examples: [4], value: 'n… (14 characters)' },
    ])
    const line = '  1 row: “Email” is not an e-mail address; row 4 (n… (14 characters))'
    expect(ended.stderr).toContain(line)
    const status = await place.run(['status', '--run', document.run])
    expect(status.stdout).toContain(line)
    const json = await place.run(['status', '--run', document.run, '--json'])
    expect(JSON.parse(json.stdout).problems).toEqual(document.problems)
    expect(ended.code).toBe(3)
  })

  test('ends with 3 when the certification body rejects rows', async () => {
    const place = await openPlace({ sandbox: { rejectShare: 1 } })
    const ended = await place.run(issue(await place.write('people.csv', people(2)), '--wait', '--json'))
    expect(readDocument(ended.stdout).states).toMatchObject({ rejected: 2, issued: 0 })
    expect(ended.code).toBe(3)
  })

  test('ends with 2 when the file is refused, and says why', async () => {
    const place = await openPlace()
    const ended = await place.run(issue(await place.write('empty.csv', ''), '--wait', '--json'))
    expect(readDocument(ended.stdout)).toMatchObject({ source: 'empty.csv', rows: 0, accepted: 0, results: null })
    expect(ended.stderr).toMatch(/empty\.csv was refused\. .+/)
    expect(ended.code).toBe(2)
    expect(place.sandbox.journal().invitesAccepted).toBe(0)
  })

  test('ends with 5 when the timeout comes first', async () => {
    const place = await openPlace({ sandbox: silentReport })
    const ended = await place.run(
      issue(await place.write('people.csv', people(2)), '--wait', '--timeout', '1s', '--json'),
    )
    readDocument(ended.stdout)
    expect(ended.stderr).toContain('The timeout came first.')
    expect(ended.code).toBe(5)
  })

  test('ends with 4 when the service cannot be reached, and takes nothing', async () => {
    const place = await openPlace()
    const file = await place.write('people.csv', people(1))
    const ended = await place.run(issue(file, '--wait', '--json'), { CREDSYNC_BASE_URL: nobody })
    expect(readDocument(ended.stdout)).toMatchObject({ run: null, source: 'people.csv', rows: 0, balanced: false })
    expect(ended.stderr).toContain('The service gave no usable answer')
    expect(ended.code).toBe(4)
    const status = await place.run(['status', '--json'])
    expect(JSON.parse(status.stdout)).toEqual({ runs: [], workers: [] })
  })

  test('ends with 4 when the service refuses our keys, and shows neither of them', async () => {
    const place = await openPlace()
    const file = await place.write('people.csv', people(1))
    const keys = { CREDSYNC_KEY: 'planted-key', CREDSYNC_SECRET: 'planted-secret' }
    const ended = await place.run(issue(file, '--wait', '--json'), keys)
    expect(readDocument(ended.stdout)).toMatchObject({ run: null, rows: 0, balanced: false })
    expect(ended.stderr).toContain('The service refused the access key and secret')
    expect(ended.stdout + ended.stderr).not.toContain('planted')
    expect(ended.code).toBe(4)
  })

  test('ends with 130 on Ctrl-C, says what is left, and the same command goes on with the same run', async () => {
    const place = await openPlace({ sandbox: silentReport })
    const file = await place.write('people.csv', people(3))
    const running = place.start(issue(file, '--wait', '--json'), { CREDSYNC_LOG_LEVEL: 'info' })
    // The first person goes out alone, the other two together.
    await running.said(/"event":"attempt.sent".*"size":2/)
    running.signal('SIGINT', 'group')
    const ended = await running.ended
    const document = readDocument(ended.stdout)
    expect(document).toMatchObject({ rows: 3, accepted: 3, states: { requested: 3 } })
    expect(ended.stderr).toContain('Stopped. 0 rows are still to be sent and 3 to be followed; the same command')
    expect(ended.code).toBe(130)

    const again = await place.run(issue(file, '--json'))
    expect(readDocument(again.stdout).run).toBe(document.run)
    expect(again.stderr).toContain(`This file is being issued already (run ${document.run})`)
    expect(place.sandbox.requests()).toHaveLength(3)
  })

  test('ends with 130 on SIGTERM too', async () => {
    const place = await openPlace({ sandbox: silentReport })
    const running = place.start(issue(await place.write('people.csv', people(1)), '--wait'), {
      CREDSYNC_LOG_LEVEL: 'info',
    })
    await running.said('"event":"attempt.sent"')
    running.signal('SIGTERM')
    expect((await running.ended).code).toBe(130)
  })
})
