// credsync start: the only worker on its ledger, which processes files that other commands hand over, and stops on
// request.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { readMetrics } from '#test/support/read-metrics.ts'
import { until } from '#test/support/until.ts'
import { issue, openWorkspace, people, silentReport } from './cli-workspace.ts'
import { readDocument } from './run-document.ts'

const start = ['start', '--config', 'credsync.yaml']
const ready = 'Ctrl-C stops it.'

describeWithDatabase('credsync start', () => {
  test('reads a file that is handed over without waiting for a sweep', async () => {
    const workspace = await openWorkspace()
    const worker = workspace.start([...start, '--only', 'intake'])
    await worker.waitForOutput(ready)
    const submitted = await workspace.run(
      issue(await workspace.write('people.csv', people(2)), '--timeout', '1s', '--json'),
    )
    expect(submitted.code).toBe(5)
    await until('the file is read', async () => {
      const { stdout } = await workspace.run(['status', '--json'])
      return JSON.parse(stdout).runs[0].state === 'published'
    })
    worker.signal('SIGTERM')
    await worker.ended
  })

  test('prevents other workers on its ledger, and processes what other commands hand over', async () => {
    const workspace = await openWorkspace()
    const worker = workspace.start(start)
    await worker.waitForOutput(ready)

    const second = await workspace.run(start)
    expect(second.stderr).toMatch(
      /Another worker already runs on this ledger \(host .+, process \d+, since [-\d]+ [:\d]+ UTC\)/,
    )
    expect(second.code).toBe(2)

    const submitted = await workspace.run(issue(await workspace.write('people.csv', people(2)), '--wait', '--json'))
    expect(submitted.stderr).toContain('A worker is running on this ledger; the file was handed over to it.')
    const document = readDocument(submitted.stdout)
    expect(document).toMatchObject({ accepted: 2, balanced: true, states: { issued: 2 } })
    expect(document.results).toMatch(/results\.csv$/)
    expect(submitted.code).toBe(0)

    worker.signal('SIGTERM')
    const ended = await worker.ended
    expect(ended.stderr).toContain('Stopped; no call was in progress.')
    expect(ended.stdout).toBe('')
    expect(ended.code).toBe(0)
    // The log level is info by default, so that a worker's actions can be traced.
    expect(ended.stderr).toContain('"event":"run.published"')
    expect(ended.stderr).not.toContain('@example.org')
  })

  test('gets no file while its settings are older than the configuration', async () => {
    const workspace = await openWorkspace()
    expect((await workspace.run(['status'])).stderr).toContain('No worker is running')
    const worker = workspace.start(start)
    await worker.waitForOutput(ready)
    const file = JSON.parse(await readFile(join(workspace.folder, 'credsync.yaml'), 'utf8'))
    await workspace.write('credsync.yaml', JSON.stringify({ ...file, invitations: { canary: false } }))
    const list = await workspace.write('people.csv', people(1))
    const [refused, status] = await Promise.all([workspace.run(issue(list)), workspace.run(['status', '--json'])])
    expect(refused.stderr).toMatch(
      /^The worker runs with an older configuration; restart it .*Nothing was handed over\.$/m,
    )
    const { runs, workers } = JSON.parse(status.stdout)
    expect([runs, workers]).toEqual([[], [expect.objectContaining({ environment: 'development', running: true })]])
    expect(refused.code).toBe(2)
    worker.signal('SIGTERM')
    expect((await worker.ended).code).toBe(0)
  })

  test('writes results requested by another command, and reads the report when reconcile requests it', async () => {
    const rareReadings = { reconcile: { every: '1h', slowest: '2h' }, web: { port: 0 } }
    const workspace = await openWorkspace({ file: rareReadings })
    const sent = readDocument(
      (await workspace.run(issue(await workspace.write('people.csv', people(2)), '--json'))).stdout,
    )
    expect(sent.states.issued).toBe(0)
    const worker = workspace.start(start)
    await worker.waitForOutput(ready)
    // `issue` does not wait here, so no row is settled; the results file is written only because `issue` requests it.
    const submitted = await workspace.run(issue(await workspace.write('more.csv', people(4)), '--json'))
    const { results, accepted, skipped } = readDocument(submitted.stdout)
    expect([accepted, skipped]).toEqual([2, 2])
    expect(await readFile(results, 'utf8')).toContain('person.4@example.org')
    const reconciled = await workspace.run(['reconcile', '--once', '--json', '--config', 'credsync.yaml'])
    expect(reconciled.stderr).toContain('A worker is running on this ledger; requesting that it read the report now.')
    expect(JSON.parse(reconciled.stdout)).toEqual({ complete: true, openBefore: 4, openAfter: 0, unsent: 0 })
    worker.signal('SIGINT')
    expect((await worker.ended).code).toBe(0)
  })

  test('serves its health pages, or reports that their port is in use and starts no worker', async () => {
    const portHolder = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await new Promise((resolve) => portHolder.once('listening', resolve))
    const { port } = portHolder.address() as { port: number }
    const workspace = await openWorkspace({ file: { web: { port } } })
    const refused = await workspace.run(start)
    expect(refused.stderr).toContain(`The health pages cannot listen on 127.0.0.1, port ${port} (EADDRINUSE).`)
    expect(refused.stderr).not.toMatch(/^\s+at |--only/m)
    expect(refused.code).toBe(2)
    await new Promise((resolve) => portHolder.close(resolve))

    const worker = workspace.start(start)
    await worker.waitForOutput(ready)
    const health = async () =>
      (await fetch(`http://127.0.0.1:${port}/health/ready`)).json() as Promise<{ ready: boolean }>
    // On a busy machine, the first answer of a store may be late.
    await until('the worker to be ready', async () => (await health()).ready)
    expect(await health()).toEqual({ ready: true, database: true, queues: true, stopping: false, problems: [] })
    const metrics = await readMetrics(`http://127.0.0.1:${port}`)
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    expect(metrics.value('credsync_worker_info', { version, environment: 'development' })).toBe(1)
    expect(metrics.value('credsync_events_total', { event: 'worker.started' })).toBe(1)
    worker.signal('SIGTERM')
    expect((await worker.ended).code).toBe(0)
  })

  test('ends with exit code 1 when it loses the lock that makes it the only worker', async () => {
    const workspace = await openWorkspace()
    const worker = workspace.start(start)
    await worker.waitForOutput(ready)
    const client = new pg.Client(workspace.env.DATABASE_URL)
    await client.connect()
    await client.query(
      `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.pid <> pg_backend_pid()`,
    )
    await client.end()
    const { code, stderr } = await worker.ended
    expect(stderr).toContain('The connection that makes this the only worker was lost; stopping.')
    expect(code).toBe(1)
  })

  test('runs only the given parts, and refuses an unknown part', async () => {
    const workspace = await openWorkspace({ sandbox: silentReport })
    const unknown = await workspace.run([...start, '--only', 'issue,isue'])
    expect(unknown.stderr).toContain('but not isue.')
    expect(unknown.code).toBe(2)
    const worker = workspace.start([...start, '--only', 'sweep,archive'])
    await worker.waitForOutput(ready)
    const submitted = await workspace.run(
      issue(await workspace.write('people.csv', people(1)), '--timeout', '2s', '--json'),
    )
    expect(readDocument(submitted.stdout).rows).toBe(0)
    expect(submitted.code).toBe(5)
    worker.signal('SIGTERM')
    const ended = await worker.ended
    expect(ended.stderr).not.toContain('health at')
    expect(ended.code).toBe(0)
  })
})
