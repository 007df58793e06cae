// credsync check, in this process: what it looks at, what it tells, and that no fault hides another.

import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { runCommandLine } from '#src/cli/command-line.ts'
import { type Clock, systemClock } from '#src/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { freePort } from '#test/support/redis-server.ts'
import { openPlace, type Place } from './place.ts'

interface Shown {
  name: string
  pipeline: string | null
  ok: boolean
  what: string
  remedy: string | null
  notices?: string[]
  fields?: { name: string; required: boolean }[]
}

const columns = { Email: 'e_mail', 'Primary Value': { value: 'Email' } }
const nowhere = '00000000-0000-4000-8000-000000000001'
const unreached = () => Promise.reject(new Error('Nothing of this is asked for here.'))

async function check(place: Place, args: string[], env: Record<string, string> = {}, clock: Clock = systemClock) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await runCommandLine({
    argv: ['check', ...args, '--config', 'credsync.yaml'],
    env: { ...place.env, ...env },
    cwd: place.folder,
    clock,
    random: () => 0.5,
    stdout,
    stderr,
    signal: new AbortController().signal,
    doing: new Proxy({} as never, { get: () => unreached }),
  })
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, stdout: text(stdout), stderr: text(stderr) }
}

/** The document, and its faults by name. */
async function look(place: Place, env: Record<string, string> = {}, clock?: Clock) {
  const { code, stdout, stderr } = await check(place, ['--json'], env, clock)
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Shown[] }
  for (const each of checks) {
    expect(Object.keys(each).slice(0, 5)).toEqual(['name', 'pipeline', 'ok', 'what', 'remedy'])
    // A fault says what to do, and what is no fault has nothing to be done.
    expect(each.remedy === null).toBe(each.ok)
  }
  const named = (name: string) => checks.filter((each) => each.name === name)
  return { code, ok, checks, named, faults: checks.filter((each) => !each.ok), text: stdout + stderr }
}

describeWithDatabase('credsync check', () => {
  test('names two pipelines of a course that tell people apart in two ways, also where one has its number', async () => {
    const place = await openPlace()
    const [course] = place.sandbox.courses
    const of = { template: course?.templateUuid, badgeTemplate: course?.badgeTemplateUuid, columns }
    const pipelines = {
      spring: { course: course?.uuid, ...of },
      autumn: { courseNumber: course?.number, ...of, identity: ['Email', 'Last Name'] },
      winter: { course: course?.uuid, ...of, identity: ['email_'] },
    }
    await place.write('credsync.yaml', JSON.stringify({ service: { environment: 'development' }, pipelines }))
    const { code, named } = await look(place)
    expect(code).not.toBe(0)
    expect(named('identity')).toEqual([
      {
        name: 'identity',
        pipeline: 'autumn',
        ok: false,
        what: 'identity is Email in spring, and Email and Last Name in autumn, and both issue one course: whoever is in the lists of both is issued twice',
        remedy: 'Give spring and autumn the same identity and occurrence',
      },
    ])
  })

  test('finds nothing wrong with a good configuration, and tells what it looked at', async () => {
    const place = await openPlace()
    const { ok, code, checks, faults } = await look(place)
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
    ])
    expect(faults).toEqual([])
    expect(checks.at(-1)?.fields).toContainEqual({ name: 'Email', required: true })
    expect([ok, code]).toEqual([true, 0])
  })

  test('names every fault of a configuration at once, without opening anything', async () => {
    const place = await openPlace({ pipeline: { brake: {}, template: 'x' } })
    const { ok, code, checks } = await look(place, { CREDSYNC_SECRET: '' })
    expect(checks.map(({ name, pipeline }) => [name, pipeline]).sort()).toEqual([
      ['CREDSYNC_SECRET', null],
      ['pipelines.spring.brake', 'spring'],
      ['pipelines.spring.template', 'spring'],
    ])
    expect([ok, code]).toEqual([false, 2])
    expect(place.sandbox.journal().calls).toEqual({})
  })

  test('names every fault of a pipeline against its course', async () => {
    const wrong = { Email: 'e_mail', 'Frist Name': 'given', 'Primary Value': { value: 'Email' } }
    const course = { template: nowhere, badgeTemplate: nowhere, columns: wrong, identity: ['Shoe Size'] }
    const named = { mailTemplate: nowhere, signatures: [nowhere], sponsors: [nowhere], occurrence: ['Hat Size'] }
    const place = await openPlace({ pipeline: { ...course, ...named, correlation: 'cert_no' } })
    const { faults, code } = await look(place)
    const sentences = faults.map(({ what, remedy }) => `${what}. ${remedy}`).join('\n')
    expect(sentences).toContain(`badgeTemplate ${nowhere} does not belong to the course. It has: `)
    expect(sentences).toMatch(
      new RegExp(`^template ${nowhere} does not belong.*Correct pipelines\\.spring\\.template`, 'm'),
    )
    for (const name of ['Frist Name', 'Shoe Size', 'Hat Size', 'correlation is cert_no'])
      expect(sentences).toContain(name)
    for (const name of ['mailTemplate', 'signatures', 'sponsors'])
      expect(sentences).toContain(`the service lists no ${name} ${nowhere} (pipelines.spring.${name})`)
    const plain = await check(place, [])
    expect(plain.stdout.match(/^FAULT {2}pipeline spring: /gm)).toHaveLength(faults.length)
    expect(plain.stdout).toMatch(/^fields pipeline spring: Email \(required\), .*, Last Name(,| \()/m)
    expect([code, plain.code]).toEqual([2, 2])
  })

  test('knows a template that the account has, and what is named besides it', async () => {
    const place = await openPlace()
    const lists = await place.run([
      'lists',
      'mail-templates',
      '--course',
      'spring',
      '--json',
      '--config',
      'credsync.yaml',
    ])
    const [mail] = JSON.parse(lists.stdout).items
    const [spring, other] = place.sandbox.courses
    const pipeline = {
      course: spring?.uuid,
      template: other?.templateUuid,
      badgeTemplate: spring?.badgeTemplateUuid,
      mailTemplate: mail.custom_email_template_uuid,
      columns,
    }
    await place.write(
      'credsync.yaml',
      JSON.stringify({ service: { environment: 'development' }, pipelines: { spring: pipeline }, web: { port: 0 } }),
    )
    const { faults, named } = await look(place)
    expect(faults.map(({ name }) => name)).toEqual(other?.templateUuid === spring?.templateUuid ? [] : ['templates'])
    expect(faults[0]?.remedy).toContain('The account has it (')
    expect(named('mailTemplate')[0]?.what).toContain(mail.custom_email_template_name)
  })

  test('tells a course that cannot issue, and one that the service does not know, with its setting', async () => {
    const place = await openPlace()
    const [, , crane] = place.sandbox.courses
    const pipeline = { template: crane?.templateUuid, badgeTemplate: crane?.badgeTemplateUuid, columns }
    const pipelines = {
      crane: { ...pipeline, course: crane?.uuid },
      ghost: { ...pipeline, courseNumber: 'NONE-9' },
      lost: { ...pipeline, course: nowhere },
    }
    await place.write('credsync.yaml', JSON.stringify({ service: { environment: 'development' }, pipelines }))
    const { stdout, code } = await check(place, [])
    expect(stdout).toMatch(/^FAULT {2}pipeline crane: the course is not approved .*\. Ask the certification body/m)
    expect(stdout).toMatch(/^FAULT {2}pipeline ghost: .* number NONE-9 \(pipelines\.ghost\.courseNumber\)\. Check it/m)
    expect(stdout).toMatch(/^FAULT {2}pipeline lost: .* 00000000-\S+ \(pipelines\.lost\.course\)/m)
    expect(code).toBe(2)
  })

  test('goes on where one thing is out of order: database, Redis, clock, keys and inboxes are told together', async () => {
    const place = await openPlace({ pipeline: { source: { inbox: './nowhere' } } })
    const away = await freePort()
    const noDatabase = await look(place, {
      DATABASE_URL: `postgres://someone:planted@127.0.0.1:${away}/none`,
      REDIS_URL: `redis://:planted@127.0.0.1:${away}`,
    })
    expect(noDatabase.faults.map(({ name }) => name)).toEqual(['database', 'Redis', 'inbox'])
    expect(noDatabase.named('columns')).toMatchObject([{ ok: true, pipeline: 'spring' }])
    expect(noDatabase.text).not.toContain('planted')
    expect(noDatabase.code).toBe(2)

    await mkdir(join(place.folder, 'nowhere'))
    const hour = 3_600_000
    const ahead: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + hour) }
    const wrong = await look(place, { CREDSYNC_SECRET: 'planted-secret' }, ahead)
    expect(wrong.faults.map(({ name }) => name)).toEqual(['clock', 'token', 'service clock'])
    expect(wrong.named('service clock')[0]?.what).toMatch(/clock is 3[56]\d\d s ahead of the service's/)
    expect(wrong.named('token')[0]?.notices).toEqual([expect.stringContaining('spring')])
    expect(wrong.text).not.toContain('planted')
  })

  test('tells of learning systems beside all else, each fault with its system, and hides nothing of the others', async () => {
    const away = await freePort()
    const systems = {
      campus: { type: 'moodle', url: `http://127.0.0.1:${away}`, token: 'planted' },
      hooks: {
        type: 'webhook',
        auth: { type: 'bearer', secret: 'planted' },
        map: { preset: 'moodle-webhook' },
        confirm: 'campus',
      },
    }
    const place = await openPlace({ pipeline: { source: { system: 'campus', course: 'FIRE-1' } }, file: { systems } })
    const { faults, named, text, code } = await look(place)
    expect(faults).toMatchObject([
      {
        name: 'system',
        system: 'campus',
        what: expect.stringContaining('ECONNREFUSED'),
        notices: [expect.stringContaining('spring')],
      },
    ])
    expect(named('door')).toMatchObject([{ ok: true, system: 'hooks', what: expect.stringContaining('/events/hooks') }])
    expect(named('columns')).toMatchObject([{ ok: true, pipeline: 'spring' }])
    expect(text).not.toContain('planted')
    expect(code).toBe(2)
    const plain = await check(place, [])
    expect(plain.stdout).toMatch(/^FAULT {2}system campus: Moodle gave no usable answer/m)
  })

  test('ends with 4 when the service refuses the keys, and asks it nothing more', async () => {
    const place = await openPlace()
    const { ok, code, faults, text } = await look(place, { CREDSYNC_SECRET: 'planted-secret' })
    expect(faults).toMatchObject([{ name: 'token' }])
    expect(text).not.toContain('planted')
    expect([ok, code]).toEqual([false, 4])
    expect(Object.keys(place.sandbox.journal().calls)).toHaveLength(1)
  })

  describeWithRedis('with Redis', ({ url }) => {
    test('tells each worker that runs, one with an older configuration, and a port that a worker has', async () => {
      const redis = { REDIS_URL: url }
      const port = await freePort()
      const place = await openPlace({ file: { web: { port } } })
      const start = ['start', '--config', 'credsync.yaml']
      const worker = place.start(start, redis)
      const beside = place.start([...start, '--only', 'issue,sweep'], redis)
      await Promise.all([worker.said('Ctrl-C stops it.'), beside.said('Ctrl-C stops it.')])
      const well = await look(place, redis)
      expect(well.named('worker')).toHaveLength(2)
      expect(well.named('worker').flatMap(({ notices = [] }) => notices)).toEqual([])
      expect(well.named('web')).toMatchObject([{ ok: true, what: expect.stringContaining('taken by a worker') }])
      expect(well.named('Redis').length).toBeGreaterThan(0)

      beside.signal('SIGKILL')
      await beside.ended
      const { service, pipelines, web } = JSON.parse(await readFile(join(place.folder, 'credsync.yaml'), 'utf8'))
      await place.write('credsync.yaml', JSON.stringify({ service, pipelines, web, invitations: { canary: false } }))
      const later = await look(place, redis)
      expect(later.named('worker').flatMap(({ notices = [] }) => notices)).toEqual([
        expect.stringContaining('runs with an older configuration'),
      ])
      const other = await openPlace({ file: { web: { port } } })
      const { faults } = await look(other)
      expect(faults).toMatchObject([{ name: 'web', what: expect.stringContaining('works on another ledger') }])
      worker.signal('SIGTERM')
      expect((await worker.ended).code).toBe(0)
    })
  })
})
