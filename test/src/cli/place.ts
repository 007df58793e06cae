// A place to run the program in: a folder with a configuration, a sandbox on the wire, a database of its own.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSandbox, type Sandbox } from '#src/sandbox/open-sandbox.ts'
import type { SandboxSettings } from '#src/sandbox/settings.ts'
import { systemClock } from '#src/time/clock.ts'
import { emptyDatabase, testDatabase } from '#test/support/database.ts'
import { type Ended, type Running, startProgram } from './program.ts'
import { runHere } from './run-here.ts'

export interface Place {
  folder: string
  sandbox: Sandbox
  env: Record<string, string>
  /** Writes a file into the folder and returns its name, which is a path from there. */
  write(name: string, text: string): Promise<string>
  /** Starts `credsync ARGS` in the folder; ended at the latest when the test ends. */
  start(args: readonly string[], env?: Record<string, string>): Running
  /** Runs `credsync ARGS` to its end, in this process. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Ended>
}

export interface PlaceOptions {
  sandbox?: Partial<SandboxSettings>
  /** Over the pipeline `spring`, which fits the sandbox's first course. */
  pipeline?: Record<string, unknown>
  /** Over the whole file. */
  file?: Record<string, unknown>
  /** Without the tables of a ledger, as before the first start. */
  empty?: boolean
}

/** Requests become final within a tenth of a second and show at once. */
const fast = { pace: { queueMs: 50, progressMs: 50 }, reportLagMs: 20 }
/** The report shows nothing while a test runs. */
export const silentReport = { reportLagMs: 3_600_000 }

export async function openPlace(options: PlaceOptions = {}): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const database = await (options.empty ? emptyDatabase() : testDatabase())
  onTestFinished(() => database.drop())
  const sandbox = await openSandbox({ ...fast, ...options.sandbox }, systemClock)
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
    run: (args, more) => runHere(args, { cwd: folder, env: { ...env, ...more } }),
  }
}

function fileFor({ courses: [course] }: Sandbox, options: PlaceOptions): object {
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

/** A list of people: `person.1@example.org` and so on. */
export function people(count: number): string {
  const rows = Array.from({ length: count }, (_, n) => `person.${n + 1}@example.org,Ada,Lovelace${n + 1}`)
  return ['e_mail,First Name,Last Name', ...rows, ''].join('\n')
}

/** The same with a row whose address is none. */
export function peopleAndOneWrong(count: number): string {
  return `${people(count)}not-an-address,Ada,Lovelace\n`
}

/** The command that issues a file of the place. */
export function issue(file: string, ...more: string[]): string[] {
  return ['issue', file, '--pipeline', 'spring', '--config', 'credsync.yaml', ...more]
}
