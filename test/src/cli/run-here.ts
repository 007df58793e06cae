// The command line with its stories, in the test's own process: a start of the program costs a second of processor time.

import { PassThrough } from 'node:stream'
import { doing } from '#jobs/doing.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { systemClock } from '#src/time/clock.ts'
import type { Ended } from './program.ts'

export interface HereOptions {
  cwd: string
  env: Record<string, string>
  /** What somebody types at the terminal; at no terminal when left out. */
  typed?: string | undefined
}

/** Runs `credsync ARGS` to its end. */
export async function runHere(args: readonly string[], { cwd, env, typed }: HereOptions): Promise<Ended> {
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
    signal: new AbortController().signal,
    doing,
  })
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, stdout: text(stdout), stderr: text(stderr) }
}
