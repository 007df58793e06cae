// The command line in the test's own process, against a sandbox on the wire: a start of the program costs a second.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { runCommandLine } from '#src/cli/command-line.ts'
import { openSandbox, type Sandbox } from '#src/sandbox/open-sandbox.ts'
import type { SandboxSettings } from '#src/sandbox/settings.ts'
import { systemClock } from '#src/time/clock.ts'

export interface AtHand {
  folder: string
  sandbox: Sandbox
  env: Record<string, string>
  run(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  /** With a stdout that is a terminal of so many columns. */
  runOnTerminal(columns: number, ...argv: string[]): Promise<string>
  /** With a person who may press Ctrl-C. */
  runUntil(signal: AbortSignal, ...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }>
}

// Each run signs in anew, so the documented three a second would be what is waited for.
const quick = { reportLagMs: 0, limits: { general: 1_000, auth: 1_000 } }
const unreached = () => Promise.reject(new Error('Nothing of this is asked for here.'))

/** @param pipelines of the configuration; by what the sandbox's courses are */
export async function openAtHand(
  options: { sandbox?: Partial<SandboxSettings>; pipelines?: (sandbox: Sandbox) => Record<string, object> } = {},
): Promise<AtHand> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-hand-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const sandbox = await openSandbox({ ...quick, ...options.sandbox }, systemClock)
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
  const run = async (argv: string[], terminal: object = {}, signal = new AbortController().signal) => {
    const [stdout, stderr] = [Object.assign(new PassThrough(), terminal), new PassThrough()]
    const said = Promise.all([text(stdout), text(stderr)])
    const code = await runCommandLine({
      argv: [...argv, '--config', 'credsync.yaml'],
      env,
      cwd: folder,
      clock: systemClock,
      random: () => 0.5,
      stdout,
      stderr,
      signal,
      doing: new Proxy({} as never, { get: () => unreached }),
    })
    for (const stream of [stdout, stderr]) stream.end()
    const [out, err] = await said
    return { code, stdout: out, stderr: err }
  }
  return {
    folder,
    sandbox,
    env,
    run: (...argv) => run(argv),
    runUntil: (signal, ...argv) => run(argv, {}, signal),
    runOnTerminal: async (columns, ...argv) => (await run(argv, { isTTY: true, columns })).stdout,
  }
}

/** A pipeline for the sandbox's first course, with columns of its own names. */
export function pipelineOf({ courses: [course] }: Sandbox, more: object = {}): object {
  return {
    course: course?.uuid,
    template: course?.templateUuid,
    badgeTemplate: course?.badgeTemplateUuid,
    columns: { Email: 'e_mail', 'Primary Value': { value: 'Email' } },
    ...more,
  }
}
