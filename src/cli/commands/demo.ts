// credsync demo: runs the main workflow without any configuration. Starts a sandbox and a database, writes a sample
// file, and then runs the same code as `issue`.

import { join } from 'node:path'
import { parseFileSettings, type Settings } from '#config/settings.ts'
import { type DemoCourse, writeSampleFile } from '#sandboxes/sample-file.ts'
import type { Sandbox } from '#sandboxes/service/open-sandbox.ts'
import {
  clearPreviousDemo,
  type DemoStorage,
  demoSettings,
  demoStorage,
  whatLeaves,
} from '#src/cli/demo/demo-storage.ts'
import { keepConsoleOpen } from '#src/extensions/console/commands/open-console.ts'
import { appFor, type Cli, invocation, say } from '../cli-context.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { issueFile } from './issue.ts'

const people = 500
/** A safety limit: at the sandbox's speed, every row is final much sooner. */
const timeoutMs = 240_000

export async function demoCommand(cli: Cli, options: { json?: boolean; console?: boolean }): Promise<ExitCode> {
  const storage = await demoStorage(cli)
  say(cli, `credsync demo: issuing ${people} sample credentials against the built-in sandbox. ${whatLeaves(storage)}`)
  const { openSandbox } = await import('#sandboxes/service/open-sandbox.ts')
  const sandbox = await openSandbox({ rejectShare: 0.005, failShare: 0.005 }, cli.clock)
  try {
    const [course] = sandbox.courses
    if (!course) throw new Error('The sandbox has no course.')
    const settings = listSettings(sandbox, course, storage, options.console === true)
    await clearPreviousDemo(cli, settings)
    const path = await writeSampleFile(join(storage.dataDir, 'spring-cohort.csv'), people)
    const code = await issueSample(cli, settings, { path, json: options.json === true })
    showSandboxView(cli, sandbox)
    await keepConsoleOpen(cli, settings)
    // Rows that need an operator are part of the demonstration.
    return code === exitCode.needsPerson ? exitCode.ok : code
  } finally {
    await sandbox.close()
  }
}

async function issueSample(
  cli: Cli,
  settings: Settings,
  { path, json }: { path: string; json: boolean },
): Promise<ExitCode> {
  await using app = await appFor(cli, settings)
  const options = { pipeline: 'spring-cohort', wait: true, timeoutMs, ...(json && { json }) }
  return await issueFile(cli, app, path, options)
}

function listSettings(sandbox: Sandbox, course: DemoCourse, storage: DemoStorage, withConsole: boolean): Settings {
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
    // Any free port, because a real console may be running at the same time.
    ...(withConsole && { console: { port: 0 } }),
  })
  return demoSettings(sandbox, storage, file)
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function showSandboxView(cli: Cli, sandbox: Sandbox): void {
  const requests = sandbox.requests()
  const distinct = new Set(
    requests.map((request) => `${request.course} ${String(request.student.Email).toLowerCase()}`),
  ).size
  const { throttled } = sandbox.journal()
  say(
    cli,
    `  The sandbox's records: ${requests.length} requests for ${distinct} people; 429 (too many requests) was returned ${times(throttled)}.`,
  )
  const run = invocation(cli.env)
  say(cli, '  Rows that need an operator are part of the demo: it exits with code 0, where `issue` exits with 3.')
  say(
    cli,
    `Next: the README shows how to issue against your own account. \`${run} demo --lms\` shows a learning system. \`${run} --help\` lists the commands.`,
  )
}
