// Runs the command line with its jobs in the test's own process, because starting the program takes a second of CPU
// time.

import { PassThrough } from 'node:stream'
import { jobActions } from '#jobs/job-actions.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import type { Ended } from './start-program.ts'

export interface RunOptions {
  cwd: string
  env: Record<string, string>
  /** Input typed at the terminal; without it there is no terminal. */
  typed?: string | undefined
  /** Interrupts the command, as Ctrl-C does. */
  signal?: AbortSignal
}

/** Runs `credsync ARGS` to its end. */
export async function runInProcess(args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, env, typed, signal = new AbortController().signal } = options
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  if (typed !== undefined) stdin.write(`${typed}\n`)
  const code = await runCommandLine({
    argv: args,
    env,
    cwd,
    clock: systemClock,
    random: () => 0.5,
    stdin: Object.assign(stdin, { isTTY: typed !== undefined }),
    stdout,
    stderr,
    signal,
    jobs: jobActions,
  })
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, stdout: text(stdout), stderr: text(stderr) }
}
