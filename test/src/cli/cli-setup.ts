// Sets up tests that run the command line in the test's own process against a sandbox over HTTP, because starting the
// program takes a second.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { openSandbox, type Sandbox } from '#sandboxes/service/open-sandbox.ts'
import type { SandboxSettings } from '#sandboxes/service/settings.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { systemClock } from '#src/platform/time/clock.ts'

export interface CliSetup {
  folder: string
  sandbox: Sandbox
  env: Record<string, string>
  run(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  /** Runs a command that the signal interrupts, as Ctrl-C does. */
  runUntil(signal: AbortSignal, ...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }>
}

// Each run signs in again, so the documented limit of three a second would slow the tests.
const fastSandbox = { reportLagMs: 0, limits: { general: 1_000, auth: 1_000 } }
const rejectCall = () => Promise.reject(new Error('This test must not call any job.'))

/** @param options.pipelines makes the pipelines of the configuration from the sandbox's courses */
export async function openCliSetup(
  options: { sandbox?: Partial<SandboxSettings>; pipelines?: (sandbox: Sandbox) => Record<string, object> } = {},
): Promise<CliSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-setup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const sandbox = await openSandbox({ ...fastSandbox, ...options.sandbox }, systemClock)
  onTestFinished(() => sandbox.close())
  const pipelines = options.pipelines?.(sandbox) ?? { spring: pipelineOf(sandbox) }
  const settings = { service: { environment: 'development' }, pipelines }
  await writeFile(join(folder, 'credsync.yaml'), JSON.stringify(settings))
  const env: Record<string, string> = {
    CREDSYNC_BASE_URL: sandbox.url,
    CREDSYNC_KEY: sandbox.key,
    CREDSYNC_SECRET: sandbox.secret,
    CREDSYNC_DATA_DIR: join(folder, 'data'),
  }
  const run = async (argv: string[], signal = new AbortController().signal) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const outputs = Promise.all([text(stdout), text(stderr)])
    const code = await runCommandLine({
      argv: [...argv, '--config', 'credsync.yaml'],
      env,
      cwd: folder,
      clock: systemClock,
      random: () => 0.5,
      stdout,
      stderr,
      signal,
      jobs: new Proxy({} as never, { get: () => rejectCall }),
    })
    for (const stream of [stdout, stderr]) stream.end()
    const [out, err] = await outputs
    return { code, stdout: out, stderr: err }
  }
  return {
    folder,
    sandbox,
    env,
    run: (...argv) => run(argv),
    runUntil: (signal, ...argv) => run(argv, signal),
  }
}

/** Returns a pipeline for the sandbox's first course, with column names of its own. */
export function pipelineOf({ courses: [course] }: Sandbox, more: object = {}): object {
  return {
    course: course?.uuid,
    template: course?.templateUuid,
    badgeTemplate: course?.badgeTemplateUuid,
    columns: { Email: 'e_mail', 'Primary Value': { value: 'Email' } },
    ...more,
  }
}
