// credsync check, run in this process: what it checks and reports, and that no fault hides another.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { freePort } from '#test/support/redis-server.ts'
import { publish } from '#test/support/test-ledger.ts'
import { openWorkspace, type Workspace } from './cli-workspace.ts'

interface CheckDocument {
  name: string
  pipeline: string | null
  ok: boolean
  what: string
  remedy: string | null
  notices?: string[]
}

const columns = { Email: 'e_mail', 'Primary Value': { value: 'Email' } }
const unknownUuid = '00000000-0000-4000-8000-000000000001'
const rejectCall = () => Promise.reject(new Error('This test must not call any job.'))

async function check(
  workspace: Workspace,
  args: string[],
  env: Record<string, string> = {},
  clock: Clock = systemClock,
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await runCommandLine({
    argv: ['check', ...args, '--config', 'credsync.yaml'],
    env: { ...workspace.env, ...env },
    cwd: workspace.folder,
    clock,
    random: () => 0.5,
    stdout,
    stderr,
    signal: new AbortController().signal,
    jobs: new Proxy({} as never, { get: () => rejectCall }),
  })
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, stdout: text(stdout), stderr: text(stderr) }
}

/** Runs check with --json. @returns the checks, a lookup by name, and the faults */
async function runCheck(workspace: Workspace, env: Record<string, string> = {}, clock?: Clock) {
  const { code, stdout, stderr } = await check(workspace, ['--json'], env, clock)
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: CheckDocument[] }
  for (const check of checks) {
    expect(Object.keys(check)).toEqual(expect.arrayContaining(['name', 'pipeline', 'ok', 'what', 'remedy']))
    // Every fault has a remedy, and nothing else does.
    expect(check.remedy === null).toBe(check.ok)
  }
  const named = (name: string) => checks.filter((check) => check.name === name)
  return { code, ok, checks, named, faults: checks.filter((check) => !check.ok), text: stdout + stderr }
}

describeWithDatabase('credsync check', () => {
  test('reports pipelines of one course with different identity rules, even if one names the course by its number', async () => {
    const workspace = await openWorkspace()
    const [course] = workspace.sandbox.courses
    const templates = { template: course?.templateUuid, badgeTemplate: course?.badgeTemplateUuid, columns }
    const pipelines = {
      spring: { course: course?.uuid, ...templates },
      autumn: { courseNumber: course?.number, ...templates, identity: ['Email', 'Last Name'] },
      winter: { course: course?.uuid, ...templates, identity: ['email_'] },
    }
    await workspace.write('credsync.yaml', JSON.stringify({ service: { environment: 'development' }, pipelines }))
    const { code, named } = await runCheck(workspace)
    expect(code).not.toBe(0)
    expect(named('identity')).toEqual([
      {
        name: 'identity',
        pipeline: 'autumn',
        ok: false,
        what: 'identity is Email in spring, and Email and Last Name in autumn, and both issue credentials of one course: people in the lists of both pipelines get two credentials',
        remedy: 'Give spring and autumn the same identity and occurrence',
      },
    ])
  })

  test('finds no fault in a correct configuration, and lists what it checked', async () => {
    const workspace = await openWorkspace()
    const { ok, code, checks, faults } = await runCheck(workspace)
    expect(checks.map(({ name, pipeline }) => (pipeline ? `${name} of ${pipeline}` : name))).toEqual([
      'configuration',
      'data directory',
      'database',
      'clock',
      'ledger',
      'queue',
      'worker',
      'web',
      'token',
      'service clock',
      'course of spring',
      'templates of spring',
      'columns of spring',
      'expiry',
    ])
    expect(faults).toEqual([])
    expect([ok, code]).toEqual([true, 0])
  })

  test('reports all faults in a configuration together, without opening anything', async () => {
    const workspace = await openWorkspace({ pipeline: { brake: {}, template: 'x' } })
    const { ok, code, checks } = await runCheck(workspace, { CREDSYNC_SECRET: '' })
    expect(checks.map(({ name, pipeline }) => [name, pipeline]).sort()).toEqual([
      ['CREDSYNC_SECRET', null],
      ['pipelines.spring.brake', 'spring'],
      ['pipelines.spring.template', 'spring'],
    ])
    expect([ok, code]).toEqual([false, 2])
    expect(workspace.sandbox.journal().calls).toEqual({})
  })

  test('reports every mismatch between a pipeline and its course', async () => {
    const wrong = { Email: 'e_mail', 'Frist Name': 'given', 'Primary Value': { value: 'Email' } }
    const course = { template: unknownUuid, badgeTemplate: unknownUuid, columns: wrong, identity: ['Shoe Size'] }
    const named = {
      mailTemplate: unknownUuid,
      signatures: [unknownUuid],
      sponsors: [unknownUuid],
      occurrence: ['Hat Size'],
    }
    const workspace = await openWorkspace({ pipeline: { ...course, ...named, correlation: 'cert_no' } })
    const { faults, code } = await runCheck(workspace)
    const sentences = faults.map(({ what, remedy }) => `${what}. ${remedy}`).join('\n')
    expect(sentences).toContain(`badgeTemplate ${unknownUuid} does not belong to the course. The course has: `)
    expect(sentences).toMatch(
      new RegExp(`^template ${unknownUuid} does not belong.*Correct pipelines\\.spring\\.template`, 'm'),
    )
    for (const name of ['Frist Name', 'Shoe Size', 'Hat Size', 'correlation is cert_no'])
      expect(sentences).toContain(name)
    for (const name of ['mailTemplate', 'signatures', 'sponsors'])
      expect(sentences).toContain(`the service lists no ${name} ${unknownUuid} (pipelines.spring.${name})`)
    const plain = await check(workspace, [])
    expect(plain.stdout.match(/^FAULT {2}pipeline spring: /gm)).toHaveLength(faults.length)
    expect([code, plain.code]).toEqual([2, 2])
  })

  test('reports a field that no column of a completion fills, with the existing columns, and that nothing limits completions', async () => {
    const columns = { Email: 'email', 'Primary Value': { value: 'Email' } }
    const columnsOf = async (campus: object, more: object = {}, brake: object = { perDay: 200 }) => {
      const workspace = await openWorkspace({
        pipeline: {
          source: { system: 'campus', course: 'FIRE-1' },
          columns: { ...columns, ...more },
          brake,
        },
        file: { systems: { campus } },
      })
      return (await runCheck(workspace)).named('columns')
    }
    // xAPI statements contain no names of learners.
    const statements = { type: 'xapi', user: 'lms', password: 'a-password-of-the-lms-alone' }
    const notices = [
      'a completion of campus has the columns id, email, course, completed; for anything else use { value: … }',
    ]
    expect(await columnsOf(statements)).toMatchObject([
      { ok: false, what: expect.stringContaining('The course requires the field “First Name”'), notices },
      { ok: false, what: expect.stringContaining('The course requires the field “Last Name”'), notices },
    ])
    const moodle = { type: 'moodle', url: 'http://127.0.0.1:9', token: 'a-token-of-the-account' }
    const unlimited = expect.stringContaining('set brake.perDay')
    const [limited] = await columnsOf(moodle)
    expect([limited?.ok, limited?.notices ?? []]).toEqual([true, expect.not.arrayContaining([unlimited])])
    expect((await columnsOf(moodle, {}, { rows: 500 }))[0]?.notices).toContainEqual(unlimited)
    expect(await columnsOf(moodle, { 'Program Start Date': 'startdate' })).toMatchObject([
      { ok: false, what: expect.stringContaining('no column “startdate” for the field “Program Start Date”') },
    ])
  })

  test('reports a course that cannot issue, and one that the service does not have, each with its setting', async () => {
    const workspace = await openWorkspace()
    const [, , crane] = workspace.sandbox.courses
    const pipeline = { template: crane?.templateUuid, badgeTemplate: crane?.badgeTemplateUuid, columns }
    const pipelines = {
      crane: { ...pipeline, course: crane?.uuid },
      ghost: { ...pipeline, courseNumber: 'NONE-9' },
      lost: { ...pipeline, course: unknownUuid },
    }
    await workspace.write('credsync.yaml', JSON.stringify({ service: { environment: 'development' }, pipelines }))
    const { stdout, code } = await check(workspace, [])
    expect(stdout).toMatch(/^FAULT {2}pipeline crane: the course is not approved .*\. Ask the certification body/m)
    expect(stdout).toMatch(
      /^FAULT {2}pipeline ghost: .* number NONE-9 \(pipelines\.ghost\.courseNumber\)\. Check the number/m,
    )
    expect(stdout).toMatch(/^FAULT {2}pipeline lost: .* 00000000-\S+ \(pipelines\.lost\.course; HTTP 404\)/m)
    expect(code).toBe(2)
  })

  test('continues after a fault: database, Redis, clock, keys and inboxes are reported together', async () => {
    const workspace = await openWorkspace({ pipeline: { source: { inbox: './nowhere' } } })
    const unusedPort = await freePort()
    const noDatabase = await runCheck(workspace, {
      DATABASE_URL: `postgres://someone:planted@127.0.0.1:${unusedPort}/none`,
      REDIS_URL: `redis://:planted@127.0.0.1:${unusedPort}`,
    })
    expect(noDatabase.faults.map(({ name }) => name)).toEqual(['database', 'Redis', 'inbox'])
    expect(noDatabase.named('columns')).toMatchObject([{ ok: true, pipeline: 'spring' }])
    expect(noDatabase.text).not.toContain('planted')
    expect(noDatabase.code).toBe(2)

    await mkdir(join(workspace.folder, 'nowhere'))
    const hour = 3_600_000
    const clockAhead: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + hour) }
    const wrong = await runCheck(workspace, { CREDSYNC_SECRET: 'planted-secret' }, clockAhead)
    expect(wrong.faults.map(({ name }) => name)).toEqual(['clock', 'token', 'service clock'])
    expect(wrong.named('service clock')[0]?.what).toMatch(/clock is 3[56]\d\d s ahead of the service's/)
    expect(wrong.named('token')[0]?.notices).toEqual([expect.stringContaining('spring')])
    expect(wrong.code).toBe(2)
    expect(wrong.text).not.toContain('planted')
  })

  test('reports learning systems too, each fault with its system, without hiding other faults', async () => {
    const unusedPort = await freePort()
    const systems = {
      campus: { type: 'moodle', url: `http://127.0.0.1:${unusedPort}`, token: 'planted' },
      hooks: {
        type: 'webhook',
        auth: { type: 'bearer', secret: 'planted-planted-planted-1' },
        map: { preset: 'moodle-webhook' },
        confirm: 'campus',
      },
    }
    const columns = { Email: 'email', 'Primary Value': { value: 'Email' } }
    const workspace = await openWorkspace({
      pipeline: { source: { system: 'campus', course: 'FIRE-1' }, columns },
      file: { systems },
    })
    const { faults, named, text, code } = await runCheck(workspace)
    expect(faults).toMatchObject([
      {
        name: 'system',
        system: 'campus',
        what: expect.stringContaining('ECONNREFUSED'),
        notices: [expect.stringContaining('spring')],
      },
    ])
    expect(named('endpoint')).toMatchObject([
      { ok: true, system: 'hooks', what: expect.stringContaining('/events/hooks') },
    ])
    expect(named('columns')).toMatchObject([{ ok: true, pipeline: 'spring' }])
    expect(text).not.toContain('planted')
    expect(code).toBe(2)
    const plain = await check(workspace, [])
    expect(plain.stdout).toMatch(/^FAULT {2}system campus: Moodle sent no usable response/m)
  })

  test('exits with 4 if the service refuses the keys, and sends no further requests', async () => {
    const workspace = await openWorkspace()
    const { ok, code, faults, text } = await runCheck(workspace, { CREDSYNC_SECRET: 'planted-secret' })
    expect(faults).toMatchObject([{ name: 'token' }])
    expect(text).not.toContain('planted')
    expect([ok, code]).toEqual([false, 4])
    expect(Object.keys(workspace.sandbox.journal().calls)).toHaveLength(1)
  })

  test('repeats each host to which data may go without TLS', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const webhook = { to: 'webhook', url: 'http://hooks.example/outcomes', secret }
    const workspace = await openWorkspace({ pipeline: { writeBack: [webhook] } })
    const { named } = await runCheck(workspace, { CREDSYNC_ALLOW_PLAIN: 'hooks.example' })
    expect(named('configuration')).toMatchObject([
      {
        ok: true,
        notices: [
          'pipelines.spring.writeBack.0.url leads to hooks.example without TLS, which CREDSYNC_ALLOW_PLAIN allows',
        ],
      },
    ])
  })

  test('exits with the code of the first fault, which is to be fixed first', async () => {
    const workspace = await openWorkspace()
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    await publish(await openWholeLedger(database, 'development'), recipients(3), { pipeline: 'former' })
    const stranded = [
      {
        name: 'rows to send',
        pipeline: 'former',
        what: '3 of its rows are still to be sent, but the configuration no longer has this pipeline',
      },
    ]
    const { code, faults } = await runCheck(workspace)
    expect([code, faults]).toMatchObject([2, stranded])
    const refused = await runCheck(workspace, { CREDSYNC_SECRET: 'planted-secret' })
    expect([refused.code, refused.faults]).toMatchObject([4, [{ name: 'token' }, ...stranded]])
  })

  describeWithRedis('with Redis', ({ url }) => {
    test('lists each running worker, and a port in use by a worker', async () => {
      const redis = { REDIS_URL: url }
      const port = await freePort()
      const workspace = await openWorkspace({ file: { web: { port } } })
      const start = ['start', '--config', 'credsync.yaml']
      const worker = workspace.start(start, redis)
      const second = workspace.start([...start, '--only', 'issue,sweep'], redis)
      await Promise.all([worker.waitForOutput('Ctrl-C stops it.'), second.waitForOutput('Ctrl-C stops it.')])
      const healthy = await runCheck(workspace, redis)
      expect(healthy.named('worker')).toHaveLength(2)
      expect(healthy.named('worker').flatMap(({ notices = [] }) => notices)).toEqual([])
      expect(healthy.named('web')).toMatchObject([
        { ok: true, what: expect.stringContaining('a worker of this ledger runs on this machine') },
      ])
      expect(healthy.named('Redis').length).toBeGreaterThan(0)
      // The token of the check before is still valid, so that only the courses are requested.
      const again = await runCheck(workspace, redis)
      expect(again.named('service clock')).toMatchObject([{ what: expect.stringContaining('agrees') }])

      second.signal('SIGKILL')
      await second.ended
      const other = await openWorkspace({ file: { web: { port } } })
      const { faults } = await runCheck(other)
      expect(faults).toMatchObject([{ name: 'web', what: expect.stringContaining('EADDRINUSE') }])
      worker.signal('SIGTERM')
      expect((await worker.ended).code).toBe(0)
    })
  })
})
