// credsync probe, and what check reports about it, in the real program.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { withoutMail } from '#src/extensions/probe/commands/probe.ts'
import { buildInvitation } from '#src/issuing/pipelines/build-invitation.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { openWorkspace, type Workspace } from '#test/src/cli/cli-workspace.ts'
import { runWithoutConfig } from '#test/src/cli/run-without-config.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const config = ['--config', 'credsync.yaml']
const probe = ['probe', '--pipeline', 'spring', ...config]

/** Writes the workspace's configuration, changed to production. @returns the options that select it */
async function writeProduction(workspace: Workspace): Promise<string[]> {
  const [course] = workspace.sandbox.courses
  const spring = {
    course: course?.uuid,
    template: course?.templateUuid,
    badgeTemplate: course?.badgeTemplateUuid,
    columns: { Email: 'e_mail', 'Primary Value': { value: 'Email' } },
  }
  await workspace.write(
    'production.yaml',
    JSON.stringify({
      ...{ service: { environment: 'production' }, pipelines: { spring }, web: { port: 0 } },
      // The tests' server may lose its latest commits if the machine crashes.
      database: { offOnPurpose: ['synchronous_commit', 'fsync', 'full_page_writes'] },
    }),
  )
  return ['--config', 'production.yaml']
}

test('the help of probe lists its options and says that it runs in the development environment only', async () => {
  const { code, stdout } = await runWithoutConfig('probe', '--help')
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

test('made-up people get no e-mail, although the pipeline sends e-mail', () => {
  const options = { sendEmail: true, attachCertificate: true, publicLink: true }
  const uuid = '00000000-0000-4000-8000-000000000001'
  const file = {
    service: { environment: 'development' },
    pipelines: { spring: { course: uuid, template: uuid, badgeTemplate: uuid, options } },
  }
  const { spring } = parseFileSettings(file).pipelines
  const sent = spring && buildInvitation(withoutMail(spring), uuid, [])
  expect(sent?.options).toEqual({ sendEmail: false, attachCertificate: false, publicLink: true })
})

describeWithDatabase('credsync probe', () => {
  test('reports its findings, says beforehand what it issues, and check shows them with their date until they are old', async () => {
    const workspace = await openWorkspace()
    const unprobed = await workspace.run(['check', ...config])
    expect(unprobed.stdout).toContain(
      'note   pipeline spring: not probed. credsync probe --pipeline spring is optional: ',
    )
    expect(unprobed.code).toBe(0)

    const probed = await workspace.run([...probe, '--json'])
    expect(probed.stderr).toContain('This issues up to 3 test credentials for the course of spring at 127.0.0.1:')
    const document = JSON.parse(probed.stdout)
    expect(Object.keys(document)).toEqual(['pipeline', 'course', 'probedAt', 'sent', 'timedOut', 'findings'])
    expect(document).toMatchObject({ pipeline: 'spring', sent: 3, timedOut: false })
    expect(document.findings.duplicates.found.verdict).toBe('issued twice')
    expect(probed.code).toBe(0)
    // No personal data is printed, including that of the made-up people.
    expect(probed.stdout).not.toContain('@')

    const plain = await workspace.run(['check', ...config])
    const day = document.probedAt.slice(0, 10)
    expect(plain.stdout).toMatch(
      new RegExp(
        `^note {3}pipeline spring: probed ${day}: the same recipient twice gets two credentials; visible after \\d+\\.\\d s; echoed: .*email_ \\(Email, searchable\\)`,
        'm',
      ),
    )
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    await database.query(`UPDATE course_probe SET probed_at = probed_at - interval '91 days'`)
    const old = JSON.parse((await workspace.run(['check', '--json', ...config])).stdout)
    const { ok, notices } = old.checks.find((check: { name: string }) => check.name === 'columns')
    expect(notices).toContainEqual(expect.stringMatching(/^probed \d{4}-\d\d-\d\d \(old: probe again\): the same/))
    expect(ok).toBe(true)
  })

  test('refuses production before any call', async () => {
    const workspace = await openWorkspace()
    const production = await writeProduction(workspace)
    const ended = await workspace.run(['probe', '--pipeline', 'spring', '--json', ...production])
    expect(ended.stderr).toContain('runs only in the development environment')
    expect(JSON.parse(ended.stdout).error).toMatchObject({ code: 2, name: 'UsageError' })
    expect(ended.code).toBe(2)
    expect(workspace.sandbox.journal().calls).toEqual({})
  })

  test('refuses an address that the ledger has used as production, whatever the configuration says', async () => {
    const workspace = await openWorkspace()
    const production = await writeProduction(workspace)
    expect((await workspace.run(['check', ...production])).code).toBe(0)
    const before = { ...workspace.sandbox.journal().calls }
    const ended = await workspace.run(probe)
    expect(ended.stderr).toContain('this ledger has used it as production')
    expect(ended.code).toBe(2)
    expect(workspace.sandbox.journal().calls).toEqual(before)
  })

  test.each([
    ['a pipeline that does not exist', ['probe', '--pipeline', 'nope', ...config], 'no pipeline "nope"'],
    ['an invalid timeout', [...probe, '--timeout', 'soon'], '--timeout soon is not a duration'],
    ['a timeout of zero', [...probe, '--timeout', '0s'], '--timeout 0s is not a duration'],
  ])('answers %s with exit code 2 and a message', async (_, argv, words) => {
    const workspace = await openWorkspace()
    const ended = await workspace.run(argv)
    expect(ended.stderr).toContain(words)
    expect(ended.code).toBe(2)
    expect(workspace.sandbox.requests()).toHaveLength(0)
  })

  test('exits with 2 for a course that cannot issue, and sends nothing', async () => {
    const workspace = await openWorkspace()
    const closed = workspace.sandbox.courses.find(({ canIssue }) => !canIssue)
    const templates = { template: closed?.templateUuid, badgeTemplate: closed?.badgeTemplateUuid }
    const pipelines = { spring: { course: closed?.uuid, ...templates } }
    await workspace.write('credsync.yaml', JSON.stringify({ service: { environment: 'development' }, pipelines }))
    const ended = await workspace.run(probe)
    expect(ended.stderr).toContain('The course cannot be probed: the course is')
    expect(ended.code).toBe(2)
    expect(workspace.sandbox.requests()).toHaveLength(0)
  })

  test('exits with 5 if the report shows no one within the timeout', async () => {
    const workspace = await openWorkspace({ sandbox: { reportLagMs: 3_600_000 } })
    const ended = await workspace.run([...probe, '--timeout', '250ms', '--json'])
    expect(JSON.parse(ended.stdout)).toMatchObject({ timedOut: true })
    expect(ended.code).toBe(5)
    expect(workspace.sandbox.requests()).toHaveLength(1)
  })

  test('exits with 130 when interrupted, and stores nothing', async () => {
    const workspace = await openWorkspace({ sandbox: { reportLagMs: 3_600_000 } })
    const running = workspace.start(probe)
    await running.waitForOutput('This issues up to 3')
    running.signal('SIGINT')
    const ended = await running.ended
    expect(ended.stderr).toContain('Interrupted. No findings were stored')
    expect(ended.code).toBe(130)
    expect((await workspace.run(['check', ...config])).stdout).toContain('not probed. credsync probe')
  })

  test('does not run while a worker is running on the same ledger', async () => {
    const workspace = await openWorkspace()
    const worker = workspace.start(['start', ...config])
    await worker.waitForOutput('worker.started')
    const ended = await workspace.run(probe)
    expect(ended.stderr).toContain('A worker is running on this ledger')
    expect(ended.code).toBe(2)
    expect(workspace.sandbox.requests()).toHaveLength(0)
  })
})
