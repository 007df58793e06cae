// credsync start: alone on its ledger, taking over what others hand in, and stopping when told.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { readMetrics } from '#test/support/read-metrics.ts'
import { readDocument } from './documents.ts'
import { issue, openPlace, people, silentReport } from './place.ts'

const start = ['start', '--config', 'credsync.yaml']
const ready = 'Ctrl-C stops it.'

describeWithDatabase('credsync start', () => {
  test('lets nobody else work on its ledger, and does what others hand over', async () => {
    const place = await openPlace()
    const worker = place.start(start)
    await worker.said(ready)

    const second = await place.run(start)
    expect(second.stderr).toMatch(
      /Another worker runs on this ledger already \(host .+, process \d+, since [-\d]+ [:\d]+ UTC\)/,
    )
    expect(second.code).toBe(2)

    const handed = await place.run(issue(await place.write('people.csv', people(2)), '--wait', '--json'))
    expect(handed.stderr).toContain('A worker runs on this ledger; the file was handed over to it.')
    const document = readDocument(handed.stdout)
    expect(document).toMatchObject({ accepted: 2, balanced: true, states: { issued: 2 } })
    expect(document.results).toMatch(/results\.csv$/)
    expect(handed.code).toBe(0)

    worker.signal('SIGTERM')
    const ended = await worker.ended
    expect(ended.stderr).toContain('Stopped; no call was left under way.')
    expect(ended.stdout).toBe('')
    expect(ended.code).toBe(0)
    // The log is at info unless told otherwise: what a worker did can be read afterwards.
    expect(ended.stderr).toContain('"event":"run.published"')
    expect(ended.stderr).not.toContain('@example.org')
  })

  test('is not handed a file under settings that it was not told, and check and status name it', async () => {
    const place = await openPlace()
    expect((await place.run(['status'])).stderr).toContain('No worker runs')
    const worker = place.start(start)
    await worker.said(ready)
    const file = JSON.parse(await readFile(join(place.folder, 'credsync.yaml'), 'utf8'))
    await place.write('credsync.yaml', JSON.stringify({ ...file, log: { level: 'warn' } }))
    const check = ['check', '--config', 'credsync.yaml']
    expect((await place.run(check)).stdout).not.toContain('older configuration')

    await place.write('credsync.yaml', JSON.stringify({ ...file, invitations: { canary: false } }))
    const list = await place.write('people.csv', people(1))
    const [refused, checked, status] = await Promise.all([
      place.run(issue(list)),
      place.run(check),
      place.run(['status', '--json']),
    ])
    expect(refused.stderr).toMatch(
      /^The worker runs with an older configuration; restart it .*Nothing was handed over\.$/m,
    )
    expect(checked.stdout).toMatch(/^note {3}worker: The worker runs with an older configuration/m)
    const { runs, workers } = JSON.parse(status.stdout)
    expect([runs, workers]).toEqual([[], [expect.objectContaining({ environment: 'development', running: true })]])
    expect([refused.code, checked.code]).toEqual([2, 0])
    worker.signal('SIGTERM')
    expect((await worker.ended).code).toBe(0)
  })

  test('writes the results that somebody else wants now, and reads the report when reconcile asks for it', async () => {
    const quiet = { reconcile: { every: '1h', slowest: '2h' }, web: { port: 0 } }
    const place = await openPlace({ file: quiet })
    const sent = readDocument((await place.run(issue(await place.write('people.csv', people(2)), '--json'))).stdout)
    expect(sent.states.issued).toBe(0)
    const worker = place.start(start)
    await worker.said(ready)
    // Without waiting, nothing settles: the results as they stand are written because the caller wants them.
    const handed = await place.run(issue(await place.write('more.csv', people(4)), '--json'))
    const { results, accepted, skipped } = readDocument(handed.stdout)
    expect([accepted, skipped]).toEqual([2, 2])
    expect(await readFile(results, 'utf8')).toContain('person.4@example.org')
    const asked = await place.run(['reconcile', '--once', '--json', '--config', 'credsync.yaml'])
    expect(asked.stderr).toContain('A worker runs on this ledger; it is asked to read the report now.')
    expect(JSON.parse(asked.stdout)).toEqual({ complete: true, openBefore: 4, openAfter: 0, unsent: 0 })
    worker.signal('SIGINT')
    expect((await worker.ended).code).toBe(0)
  })

  test('serves its health pages, or says that their port is taken and leaves no worker behind', async () => {
    const taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const place = await openPlace({ file: { web: { port } } })
    const checked = await place.run(['check', '--config', 'credsync.yaml'])
    expect(checked.stdout).toContain(
      `FAULT  web: the health pages cannot listen on 127.0.0.1, port ${port} (EADDRINUSE).`,
    )
    expect(checked.code).toBe(2)
    const refused = await place.run(start)
    expect(refused.stderr).toContain(`The health pages cannot listen on 127.0.0.1, port ${port} (EADDRINUSE).`)
    expect(refused.stderr).not.toMatch(/^\s+at |--only/m)
    expect(refused.code).toBe(2)
    await new Promise((resolve) => taken.close(resolve))

    const worker = place.start(start)
    await worker.said(ready)
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`)
    expect(await answer.json()).toEqual({ ready: true, database: true, queues: true, stopping: false, problems: [] })
    const metrics = await readMetrics(`http://127.0.0.1:${port}`)
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    expect(metrics.value('credsync_worker_info', { version, environment: 'development' })).toBe(1)
    expect(metrics.value('credsync_events_total', { event: 'worker.started' })).toBe(1)
    worker.signal('SIGTERM')
    expect((await worker.ended).code).toBe(0)
  })

  test('does only the parts it is told, and refuses one that there is not', async () => {
    const place = await openPlace({ sandbox: silentReport })
    const unknown = await place.run([...start, '--only', 'issue,isue'])
    expect(unknown.stderr).toContain('it does not know isue.')
    expect(unknown.code).toBe(2)
    const worker = place.start([...start, '--only', 'sweep,archive'])
    await worker.said(ready)
    const handed = await place.run(issue(await place.write('people.csv', people(1)), '--timeout', '2s', '--json'))
    expect(readDocument(handed.stdout).rows).toBe(0)
    expect(handed.code).toBe(5)
    worker.signal('SIGTERM')
    const ended = await worker.ended
    expect(ended.stderr).not.toContain('health at')
    expect(ended.code).toBe(0)
  })

  test('keeps the two environments apart: one address is never both', async () => {
    const place = await openPlace()
    await place.run(['check', '--config', 'credsync.yaml'])
    await place.write('credsync.yaml', JSON.stringify({ service: { environment: 'production' }, pipelines: {} }))
    const ended = await place.run(start)
    expect(ended.stderr).toContain('this ledger has used it as development')
    expect(ended.code).toBe(2)
  })
})
