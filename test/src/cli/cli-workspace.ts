// Sets up everything that a test of the command line needs: a folder with a configuration, a sandbox over HTTP and a
// database.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSandbox, type Sandbox } from '#sandboxes/service/open-sandbox.ts'
import type { SandboxSettings } from '#sandboxes/service/settings.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { emptyDatabase, testDatabase } from '#test/support/database.ts'
import { runInProcess } from './run-in-process.ts'
import { type Ended, type Running, startProgram } from './start-program.ts'

export interface Workspace {
  folder: string
  sandbox: Sandbox
  env: Record<string, string>
  /** Writes a file into the folder and returns its name, relative to the folder. */
  write(name: string, text: string): Promise<string>
  /** Starts `credsync ARGS` in the folder as a process; it is killed after the test if it is still running. */
  start(args: readonly string[], env?: Record<string, string>): Running
  /** Runs `credsync ARGS` to its end, in this process. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Ended>
}

export interface WorkspaceOptions {
  sandbox?: Partial<SandboxSettings>
  /** Overrides settings of the pipeline `spring`, which issues credentials for the sandbox's first course. */
  pipeline?: Record<string, unknown>
  /** Overrides settings of the whole configuration file. */
  file?: Record<string, unknown>
  /** Leaves out the ledger's tables, as before the first start. */
  empty?: boolean
}

/** Requests become final and are shown within a tenth of a second. */
const fastSandbox = { pace: { queueMs: 50, progressMs: 50 }, reportLagMs: 20 }
/** The report shows nothing while a test runs. */
export const silentReport = { reportLagMs: 3_600_000 }

export async function openWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const database = await (options.empty ? emptyDatabase() : testDatabase())
  onTestFinished(() => database.drop())
  const sandbox = await openSandbox({ ...fastSandbox, ...options.sandbox }, systemClock)
  onTestFinished(() => sandbox.close())
  await writeFile(join(folder, 'credsync.yaml'), JSON.stringify(fileFor(sandbox, options)))
  const env = {
    CREDSYNC_BASE_URL: sandbox.url,
    CREDSYNC_KEY: sandbox.key,
    CREDSYNC_SECRET: sandbox.secret,
    DATABASE_URL: database.url,
    CREDSYNC_DATA_DIR: join(folder, 'data'),
  }
  const start = (args: readonly string[], more: Record<string, string> = {}) => {
    const running = startProgram(args, { cwd: folder, env: { ...env, ...more } })
    onTestFinished(() => running.stop())
    return running
  }
  return {
    folder,
    sandbox,
    env,
    async write(name, text) {
      await writeFile(join(folder, name), text)
      return name
    },
    start,
    run: (args, more) => runInProcess(args, { cwd: folder, env: { ...env, ...more } }),
  }
}

function fileFor({ courses: [course] }: Sandbox, options: WorkspaceOptions): object {
  return {
    service: { environment: 'development' },
    pipelines: {
      spring: {
        course: course?.uuid,
        template: course?.templateUuid,
        badgeTemplate: course?.badgeTemplateUuid,
        columns: { Email: 'e_mail', 'Primary Value': { value: 'Email' } },
        ...options.pipeline,
      },
    },
    reconcile: { every: '100ms', slowest: '500ms' },
    web: { port: 0 },
    ...options.file,
  }
}

/** Returns a CSV list of people: `person.1@example.org` and so on. */
export function people(count: number): string {
  const rows = Array.from({ length: count }, (_, n) => `person.${n + 1}@example.org,Ada,Lovelace${n + 1}`)
  return ['e_mail,First Name,Last Name', ...rows, ''].join('\n')
}

/** Returns the same list with one more row, whose address is invalid. */
export function peopleAndOneWrong(count: number): string {
  return `${people(count)}not-an-address,Ada,Lovelace\n`
}

/** Returns the arguments of the command that issues a file. */
export function issue(file: string, ...more: string[]): string[] {
  return ['issue', file, '--pipeline', 'spring', '--config', 'credsync.yaml', ...more]
}
