// credsync probe and what check says of it, by the real program.

import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { quiet } from '#src/cli/commands/probe.ts'
import { openDatabase } from '#src/database/database.ts'
import { invitationOf } from '#src/pipelines/invitation-of.ts'
import { openSandbox } from '#src/sandbox/open-sandbox.ts'
import { systemClock } from '#src/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openPlace, type Place } from './place.ts'
import { say } from './say.ts'

const config = ['--config', 'credsync.yaml']
const probe = ['probe', '--pipeline', 'spring', ...config]

/** The place's configuration, for production. */
async function writeProduction(place: Place): Promise<string[]> {
  const [course] = place.sandbox.courses
  const spring = {
    course: course?.uuid,
    template: course?.templateUuid,
    badgeTemplate: course?.badgeTemplateUuid,
    columns: { Email: 'e_mail', 'Primary Value': { value: 'Email' } },
  }
  await place.write(
    'production.yaml',
    JSON.stringify({ service: { environment: 'production' }, pipelines: { spring }, web: { port: 0 } }),
  )
  return ['--config', 'production.yaml']
}

test('help of probe tells its options, and that it is for the development environment', async () => {
  const { code, stdout } = await say('probe', '--help')
  const plain = stdout.replace(/\s+/g, ' ')
  for (const words of [
    'development environment only',
    '--pipeline <name>',
    '(required)',
    '--timeout <duration>',
    '--json',
  ])
    expect(plain).toContain(words)
  expect(code).toBe(0)
})

test('made-up people get no mail, though the pipeline sends some', () => {
  const options = { sendEmail: true, attachCertificate: true, publicLink: true }
  const uuid = '00000000-0000-4000-8000-000000000001'
  const file = {
    service: { environment: 'development' },
    pipelines: { spring: { course: uuid, template: uuid, badgeTemplate: uuid, options } },
  }
  const { spring } = parseFileSettings(file).pipelines
  const sent = spring && invitationOf(quiet(spring), uuid, [])
  expect(sent?.options).toEqual({ sendEmail: false, attachCertificate: false, publicLink: true })
})

describeWithDatabase('credsync probe', () => {
  test('finds out, says beforehand what it issues, and check shows it with its date until it is old', async () => {
    const place = await openPlace()
    const unprobed = await place.run(['check', ...config])
    expect(unprobed.stdout).toContain(
      'note   pipeline spring: not probed. credsync probe --pipeline spring is optional: ',
    )
    expect(unprobed.code).toBe(0)

    const probed = await place.run([...probe, '--json'])
    expect(probed.stderr).toContain('This issues up to 6 throwaway credentials for the course of spring at 127.0.0.1:')
    const document = JSON.parse(probed.stdout)
    expect(Object.keys(document)).toEqual(['pipeline', 'course', 'probedAt', 'sent', 'timedOut', 'findings'])
    expect(document).toMatchObject({ pipeline: 'spring', sent: 6, timedOut: false })
    expect(document.findings.duplicates.found.verdict).toBe('issued twice')
    expect(probed.code).toBe(0)
    // Nothing personal: not even the people who were made up.
    expect(probed.stdout).not.toContain('@')

    const plain = await place.run(['check', ...config])
    const day = document.probedAt.slice(0, 10)
    expect(plain.stdout).toMatch(
      new RegExp(
        `^note {3}pipeline spring: probed ${day}: the same recipient twice is issued twice; visible after \\d+\\.\\d s; pages of 1000 .*; one bad recipient \\(First Name is empty\\): the whole batch is refused .*; echoed: .*email_ \\(Email, searchable\\)`,
        'm',
      ),
    )
    await using database = openDatabase(place.env.DATABASE_URL ?? '')
    await database.query(`UPDATE course_probe SET probed_at = probed_at - interval '91 days'`)
    const old = JSON.parse((await place.run(['check', '--json', ...config])).stdout)
    const { ok, notices } = old.checks.find((check: { name: string }) => check.name === 'columns')
    expect(notices).toEqual([expect.stringMatching(/^probed \d{4}-\d\d-\d\d \(old: probe again\): the same/)])
    expect(ok).toBe(true)
  })

  test('refuses production before any call, and makes none', async () => {
    const place = await openPlace()
    const production = await writeProduction(place)
    const ended = await place.run(['probe', '--pipeline', 'spring', '--json', ...production])
    expect(ended.stderr).toContain('runs in the development environment only')
    expect(JSON.parse(ended.stdout).error).toMatchObject({ code: 2, name: 'UsageError' })
    expect(ended.code).toBe(2)
    expect(place.sandbox.journal().calls).toEqual({})
  })

  test('refuses an address that the ledger knows as production, whatever the configuration calls it', async () => {
    const place = await openPlace()
    const production = await writeProduction(place)
    expect((await place.run(['check', ...production])).code).toBe(0)
    const before = { ...place.sandbox.journal().calls }
    const ended = await place.run(probe)
    expect(ended.stderr).toContain('this ledger has used it as production')
    expect(ended.code).toBe(2)
    expect(place.sandbox.journal().calls).toEqual(before)
  })

  test('is shown in production by its environment when the same ledger holds it, and not asked for there', async () => {
    const place = await openPlace()
    const production = await writeProduction(place)
    const other = await openSandbox({ reportLagMs: 20 }, systemClock)
    onTestFinished(() => other.close())
    const check = () => place.run(['check', ...production], { CREDSYNC_BASE_URL: other.url })
    expect((await check()).stdout).toMatch(/^note {3}pipeline spring: not probed: .* does not carry over$/m)
    expect((await place.run(probe)).code).toBe(0)
    expect((await check()).stdout).toMatch(
      /^note {3}pipeline spring: probed \d{4}-\d\d-\d\d in development: .*Production may behave otherwise$/m,
    )
  })

  test.each([
    ['a pipeline that there is not', ['probe', '--pipeline', 'nope', ...config], 'no pipeline "nope"'],
    ['a timeout that is none', [...probe, '--timeout', 'soon'], '--timeout soon is no time to wait'],
    ['a timeout of nothing', [...probe, '--timeout', '0s'], '--timeout 0s is no time to wait'],
  ])('answers %s with 2 and a sentence', async (_, argv, words) => {
    const place = await openPlace()
    const ended = await place.run(argv)
    expect(ended.stderr).toContain(words)
    expect(ended.code).toBe(2)
    expect(place.sandbox.requests()).toHaveLength(0)
  })

  test('answers a course that cannot issue with 2, and sends nothing', async () => {
    const place = await openPlace()
    const closed = place.sandbox.courses.find(({ canIssue }) => !canIssue)
    const templates = { template: closed?.templateUuid, badgeTemplate: closed?.badgeTemplateUuid }
    const pipelines = { spring: { course: closed?.uuid, ...templates } }
    await place.write('credsync.yaml', JSON.stringify({ service: { environment: 'development' }, pipelines }))
    const ended = await place.run(probe)
    expect(ended.stderr).toContain('The course cannot be probed: the course is')
    expect(ended.code).toBe(2)
    expect(place.sandbox.requests()).toHaveLength(0)
  })

  test('ends with 5 when the report shows nobody within the timeout', async () => {
    const place = await openPlace({ sandbox: { reportLagMs: 3_600_000 } })
    const ended = await place.run([...probe, '--timeout', '250ms', '--json'])
    expect(JSON.parse(ended.stdout)).toMatchObject({ timedOut: true })
    expect(ended.code).toBe(5)
    expect(place.sandbox.requests()).toHaveLength(1)
  })

  test('ends with 130 when it is interrupted, and keeps nothing', async () => {
    const place = await openPlace({ sandbox: { reportLagMs: 3_600_000 } })
    const running = place.start(probe)
    await running.said('This issues up to 6')
    running.signal('SIGINT')
    const ended = await running.ended
    expect(ended.stderr).toContain('Interrupted. Nothing was kept')
    expect(ended.code).toBe(130)
    expect((await place.run(['check', ...config])).stdout).toContain('not probed. credsync probe')
  })

  test('does not run beside a worker of the same ledger', async () => {
    const place = await openPlace()
    const worker = place.start(['start', ...config])
    await worker.said('worker.started')
    const ended = await place.run(probe)
    expect(ended.stderr).toContain('A worker runs on this ledger')
    expect(ended.code).toBe(2)
    expect(place.sandbox.requests()).toHaveLength(0)
  })
})
