// The command line without a program around it, for commands that end before they reach anything.

import { PassThrough } from 'node:stream'
import { runCommandLine } from '#src/cli/command-line.ts'
import type { Cli } from '#src/cli/surroundings.ts'
import { systemClock } from '#src/time/clock.ts'

const unreached = () => Promise.reject(new Error('Nothing of this is asked for here.'))

/** Says a command that needs no worker, with nothing configured. */
export const say = (...argv: string[]) => sayIn({}, ...argv)

/** The same with these names in the environment. Gives exit code, stdout and stderr. */
export async function sayIn(env: Cli['env'], ...argv: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const cli: Cli = {
    argv,
    env,
    cwd: '/nowhere',
    clock: systemClock,
    random: () => 0.5,
    stdout,
    stderr,
    signal: new AbortController().signal,
    doing: {
      startWorker: unreached,
      lookOnce: unreached,
      tendRevocations: unreached,
      writeResults: unreached,
      writeWantedResults: unreached,
    },
  }
  const code = await runCommandLine(cli)
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, stdout: text(stdout), stderr: text(stderr) }
}
