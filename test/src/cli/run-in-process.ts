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
  /** Input typed at the terminal; without it there is no terminal. A function types it once a question is asked. */
  typed?: string | (() => Promise<string>) | undefined
  /** Interrupts the command, as Ctrl-C does. */
  signal?: AbortSignal
}

const question = '[y/N]'

/** Runs `credsync ARGS` to its end. */
export async function runInProcess(args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, env, typed, signal = new AbortController().signal } = options
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  if (typeof typed === 'string') stdin.write(`${typed}\n`)
  let said = ''
  stderr.on('data', (chunk) => {
    const isAsked = !said.includes(question)
    said += chunk
    if (typeof typed === 'function' && isAsked && said.includes(question))
      typed().then(
        (answer) => stdin.write(`${answer}\n`),
        (error) => stdin.destroy(error),
      )
  })
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
  return { code, stdout: text(stdout), stderr: said }
}
