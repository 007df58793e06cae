// A whole worker with notices: summaries of lists that it issues, heartbeats, and an outage of PostgreSQL. No message, log
// line or error names a person or a secret.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startNoticeLoop } from '#jobs/notices/notice-loop.ts'
import { openOutageReport } from '#jobs/notices/report-outage.ts'
import { openHeartbeat } from '#jobs/notices/request-heartbeat.ts'
import { startWorker } from '#jobs/worker.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { openHealth } from '#src/web/health.ts'
import { runInProcess } from '#test/src/cli/run-in-process.ts'
import { type CuttableProxy, cuttableProxy } from '#test/src/platform/queue/cuttable-proxy.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { headerOf, openMailServer, partsOf } from '#test/support/mail-server.ts'
import { openNoticeWorld } from '#test/support/notice-world.ts'
import { openScriptedServer } from '#test/support/scripted-server.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, worldEnv, worldFile } from '#test/support/world.ts'

const signal = new AbortController().signal
const minute = 60_000

async function openReceivers() {
  await using stack = new AsyncDisposableStack()
  const mail = stack.use(await openMailServer())
  const hooks = await openScriptedServer()
  stack.defer(() => hooks.close())
  hooks.on('/', (_, response) => response.writeHead(200).end('ok'))
  const closing = stack.move()
  return { mail, hooks, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

describeWithDatabase('a worker with notices', () => {
  test('summarizes a list, requests its heartbeat, and names nobody', async () => {
    await using receivers = await openReceivers()
    const { mail, hooks } = receivers
    const file = {
      notify: {
        smtp: { host: '127.0.0.1', port: mail.port, from: 'credsync@example.org', tls: 'none' },
        to: { office: { email: ['office@example.org'] } },
        group: '1ms',
      },
      heartbeat: { url: `${hooks.url}/worker?key=planted-key`, every: '15s' },
    }
    const logged: string[] = []
    const options = { file, tuning: { noticeMs: 50 } }
    await using world = await openWorld({
      ...options,
      sandbox: { rejectShare: 0.2 },
      appOptions: { log: { event: (name, fields) => void logged.push(JSON.stringify([name, fields])) } },
    })
    await using _worker = await startWorker(world.app)
    await until('the first request', () => hooks.requests('/worker').length > 0)
    // Lists from before the first look are not summarized.
    const look = () => world.app.database.query(`SELECT FROM notice_watch WHERE subject = 'notify summary'`)
    await until('the first look', async () => (await look()).rowCount === 1)
    await world.receive('march.csv', `${peopleCsv(30)}nobody,Ada,Lovelace\n`)
    const finished = () => mail.received.filter((each) => headerOf(each, 'subject').includes('march.csv is finished'))
    await until('the summary', () => finished().length > 0)
    const { text } = partsOf(finished()[0] as never)
    expect(text).toMatch(/31 rows: 30 accepted, 1 invalid, 0 skipped/)
    expect(text).toMatch(/1 invalid row \(32\): Email, rule email/)
    expect(text).toMatch(/Results: .*march.*\r?\n.*Invalid rows, with what to correct: .*march/)
    expect(hooks.requests('/worker').at(-1)?.path).toBe('/worker?key=planted-key')
    for (const words of [...mail.received.map(({ raw }) => raw), ...logged])
      expect(words).not.toMatch(/person\.\d+@|Lovelace|Ada\d|planted-key/)

    const config = join(world.folder, 'credsync.yaml')
    await writeFile(config, JSON.stringify(worldFile(world.sandbox, options)))
    const run = (...args: string[]) => runInProcess(args, { cwd: world.folder, env: worldEnv(world) })
    const sent = mail.received.length
    const notified = await run('notify', '--test', 'office', '--config', config)
    expect(notified).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The message was accepted (e-mail to 1 address'),
    })
    await until('the test message', () => mail.received.length > sent)
    expect(mail.received.some((each) => headerOf(each, 'subject').endsWith('this is a test'))).toBe(true)
    const unknown = await run('notify', '--test', 'nobody', '--config', config)
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('It has: office.') })
    const notices = await run('notices')
    expect(notices.stdout).toContain('to office: ')
    expect(JSON.parse((await run('notices', '--json')).stdout)).toMatchObject({ recipients: [{ recipient: 'office' }] })
  })

  test('shows in `status` and `notices` what is open and who was notified', async () => {
    await using receivers = await openReceivers()
    const { mail } = receivers
    await using world = await openWorld({
      file: {
        notify: {
          smtp: { host: '127.0.0.1', port: mail.port, from: 'credsync@example.org', tls: 'none' },
          to: { office: { email: ['office@example.org'], on: ['refused'] } },
          group: '1ms',
        },
      },
      tuning: { noticeMs: 50 },
    })
    const run = (...args: string[]) => runInProcess(args, { cwd: world.folder, env: worldEnv(world) })
    expect(await run('notices')).toMatchObject({ code: 0, stdout: 'No notice is open.\n' })
    await using _worker = await startWorker(world.app)
    await world.receive('odd.csv', 'first,last\nAda,Lovelace\n')
    await until('the message', () => mail.received.length > 0)
    expect(headerOf(mail.received[0] as never, 'subject')).toBe('credsync (development): spring: odd.csv was refused')
    await until(
      'the delivery to be noted',
      async () => (await world.app.ledger.notices.recipients())[0]?.delivered === 1,
    )
    const notices = await run('notices')
    expect(notices).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^refused {2}spring: odd\.csv was refused, for /),
    })
    expect(notices.stdout).toMatch(/notified: office at 20/)
    expect((await run('status')).stdout).toContain('1 notice open: `credsync notices` says more')
    const document = JSON.parse((await run('notices', '--json')).stdout)
    expect(document.open).toMatchObject([
      { key: 'refused list spring', kind: 'refused', pipeline: 'spring', recipients: [{ recipient: 'office' }] },
    ])
    expect(JSON.parse((await run('status', '--json')).stdout).notices).toMatchObject({ open: 1 })
  })
})

describe('an outage of PostgreSQL', () => {
  test('is reported once from memory, and its end once, however many workers noticed', async () => {
    await using world = await openNoticeWorld()
    const workers = [openOutageReport(world.tools), openOutageReport(world.tools)]
    let time = world.now().getTime()
    const at = async (minutes: number, what: 'failed' | 'answered') => {
      Object.assign(world.tools.clock, { now: () => new Date(time + minutes * minute) })
      for (const worker of workers) await worker[what](signal)
    }
    for (const minutes of [0, 3]) await at(minutes, 'failed')
    await at(4, 'answered')
    for (const minutes of [10, 14]) await at(minutes, 'failed')
    expect(world.mail.received).toEqual([])
    for (const minutes of [15, 16, 40]) await at(minutes, 'failed')
    expect(world.subjects()).toEqual(Array(2).fill('credsync (development): PostgreSQL cannot be used (for 5m)'))
    expect(new Set(world.mail.received.map((mail) => headerOf(mail, 'message-id'))).size).toBe(1)
    await at(41, 'answered')
    time += 50 * minute
    Object.assign(world.tools.clock, { now: () => new Date(time) })
    await world.round()
    expect(world.subjects().slice(2)).toEqual([
      'credsync (development): Over: PostgreSQL can be used again (after 31m)',
    ])
    for (const minutes of [60, 65]) await at(minutes, 'failed')
    expect(world.subjects().slice(3), 'a second outage').toEqual(
      Array(2).fill('credsync (development): PostgreSQL cannot be used (for 5m)'),
    )
  })

  test('is reported to those who could not be reached at first, as soon as they can', async () => {
    await using world = await openNoticeWorld({
      notify: ({ hooks }) => ({
        to: { ops: { email: ['ops@example.org'] }, chat: { slack: `${hooks}/services/T0/B0/x` } },
      }),
    })
    world.hooks.on('/services', (_, response) => response.writeHead(200).end('ok'))
    const report = openOutageReport(world.tools)
    const start = world.now().getTime()
    const at = async (minutes: number) => {
      const ms = minutes * minute
      Object.assign(world.tools.clock, { now: () => new Date(start + ms), monotonicMs: () => ms })
      await report.failed(signal)
    }
    await world.mail.stop()
    for (const minutes of [1, 6]) await at(minutes)
    await world.mail.start()
    for (const minutes of [7, 8, 30]) await at(minutes)
    expect(world.subjects()).toEqual(['credsync (development): PostgreSQL cannot be used (for 6m)'])
    expect(world.hooks.seen).toHaveLength(1)
  })

  test.each(['frozen', 'read-only'] as const)('that is %s is noticed by a worker', async (kind) => {
    await using mail = await openMailServer()
    await using stack = new AsyncDisposableStack()
    const proxies: CuttableProxy[] = []
    let aheadMs = 0
    await using world = await openWorld({
      databaseProxy: async (url) => {
        const proxy = await cuttableProxy(url)
        proxies.push(proxy)
        stack.defer(() => proxy.close())
        return proxy.url
      },
      file: {
        notify: {
          smtp: { host: '127.0.0.1', port: mail.port, from: 'credsync@example.org', tls: 'none' },
          to: { ops: { email: ['ops@example.org'], on: ['away'] } },
        },
      },
      tuning: { noticeMs: 50 },
      appOptions: { clock: { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) } },
    })
    const loop = startNoticeLoop(world.app, false)
    await using _ = { [Symbol.asyncDispose]: async () => void (await loop?.stop()) }
    const database = openDatabase(world.databaseUrl)
    stack.defer(() => database.close())
    const { rows } = await database.query<{ name: string }>('SELECT current_database() AS name')
    const setReadOnly = async (is: boolean) => {
      await database.query('SET default_transaction_read_only = off')
      await database.query(`ALTER DATABASE "${rows[0]?.name}" SET default_transaction_read_only = ${is ? 'on' : 'off'}`)
      await proxies[0]?.cut()
      await proxies[0]?.restore()
    }
    if (kind === 'frozen') proxies[0]?.freeze()
    else await setReadOnly(true)
    // Five minutes after the first look that failed.
    const health = openHealth(world.app)
    await until('PostgreSQL to be unusable', async () => !(await health.stores()).database)
    await until('the message', () => {
      aheadMs += minute
      return mail.received.length > 0
    })
    expect(headerOf(mail.received[0] as never, 'subject')).toContain('PostgreSQL cannot be used')
    if (kind === 'frozen') await proxies[0]?.restore()
    else await setReadOnly(false)
  })
})

describe('the heartbeat of a worker', () => {
  test('is the address as it was written', async () => {
    await using receivers = await openReceivers()
    const { hooks } = receivers
    await using world = await openWorld({ file: { heartbeat: { url: `${hooks.url}/beat/?key=1`, every: '5m' } } })
    await openHeartbeat(world.app, async () => true)()
    expect(hooks.seen.map(({ path }) => path)).toEqual(['/beat/?key=1'])
  })

  test('stops while the worker is not ready, and is tried again after a failure', async () => {
    await using receivers = await openReceivers()
    const { hooks } = receivers
    await using world = await openWorld({ file: { heartbeat: { url: `${hooks.url}/beat`, every: '5m' } } })
    let monotonicMs = 0
    let isReady = false
    const clock = { ...world.app.clock, monotonicMs: () => monotonicMs }
    const beat = openHeartbeat({ ...world.app, clock }, async () => isReady)
    await beat()
    expect(hooks.seen).toHaveLength(0)
    isReady = true
    await beat()
    await beat()
    expect(hooks.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /beat'])
    monotonicMs += 5 * minute
    hooks.on('/', (_, response) => response.writeHead(500).end())
    await beat()
    await beat()
    expect(hooks.seen).toHaveLength(2)
    for (let passed = 0; passed < 20; passed++) {
      monotonicMs += minute / 4
      await beat()
    }
    // After a quarter, half, one, two and four minutes: 0:15, 0:45, 1:45 and 3:45.
    expect(hooks.seen).toHaveLength(6)
  })
})
