// credsync demo: the whole main job with nothing configured. A sandbox, a database and a sample file; then the same issue as ever.

import { join, resolve } from 'node:path'
import { parseFileSettings, type Settings } from '#config/settings.ts'
import { type DemoCourse, writeSampleFile } from '#src/demo/sample-file.ts'
import { openSandbox, type Sandbox } from '#src/sandbox/open-sandbox.ts'
import { makeDataDir } from '#src/storage.ts'
import { demoSettings } from '../demo-settings.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { forgetFormerDemo } from '../forget-former-demo.ts'
import { appFor, type Cli, say } from '../surroundings.ts'
import { issueFile } from './issue.ts'

const people = 500
/** The demo ends by itself; with the sandbox's pace every row is final long before. */
const timeoutMs = 55_000

export async function demoCommand(cli: Cli, options: { json?: boolean }): Promise<ExitCode> {
  const dataDir = join(resolve(cli.cwd, cli.env.CREDSYNC_DATA_DIR || './data'), 'demo')
  await makeDataDir(dataDir)
  say(
    cli,
    `credsync demo: issuing ${people} sample credentials against the built-in sandbox. Nothing leaves this machine.`,
  )
  const sandbox = await openSandbox({ rejectShare: 0.005, failShare: 0.005 }, cli.clock)
  try {
    const [course] = sandbox.courses
    if (!course) throw new Error('The sandbox has no course.')
    const settings = listSettings(sandbox, course, dataDir)
    await forgetFormerDemo(cli, settings)
    const path = await writeSampleFile(join(dataDir, 'spring-cohort.csv'), people)
    await using app = await appFor(cli, settings)
    const code = await issueFile(cli, app, path, {
      pipeline: 'spring-cohort',
      wait: true,
      timeoutMs,
      ...(options.json && { json: true }),
    })
    tellSandboxView(cli, sandbox)
    // Rows that need a person are what the demo is there to show.
    return code === exitCode.needsPerson ? exitCode.ok : code
  } finally {
    await sandbox.close()
  }
}

function listSettings(sandbox: Sandbox, course: DemoCourse, dataDir: string): Settings {
  const file = parseFileSettings({
    service: { environment: 'development' },
    pipelines: {
      'spring-cohort': {
        course: course.uuid,
        template: course.templateUuid,
        badgeTemplate: course.badgeTemplateUuid,
        columns: {
          Email: 'e_mail',
          'First Name': 'given',
          'Last Name': 'family',
          'Birth Date': 'born',
          'Primary Value': { value: 'Email' },
        },
      },
    },
    reconcile: { every: '1s', slowest: '5s' },
  })
  return demoSettings(sandbox, dataDir, file)
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function tellSandboxView(cli: Cli, sandbox: Sandbox): void {
  const held = sandbox.requests()
  const once = new Set(held.map((request) => `${request.course} ${String(request.student.Email).toLowerCase()}`)).size
  const { throttled } = sandbox.journal()
  say(
    cli,
    `  The sandbox's own book: ${held.length} requests for ${once} people, 429 (too many requests) answered ${times(throttled)}.`,
  )
  say(cli, '  Rows that need a person are part of the demo: it ends with exit code 0, where `issue` ends with 3.')
  say(
    cli,
    'Next: the README shows how to issue against your own account. `npm run -s credsync -- demo --lms` shows a learning system. `npm run -s credsync -- --help` lists the commands.',
  )
}
