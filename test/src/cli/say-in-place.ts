// The command line with its stories, in the test's own process, against a place with a sandbox and a ledger.

import { PassThrough } from 'node:stream'
import { doing } from '#jobs/doing.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { systemClock } from '#src/time/clock.ts'
import type { Place } from './place.ts'

/** They read the ledger alone, and take no configuration. */
const withoutConfiguration = ['explain', 'status']

/**
 * Runs `credsync ARGS`. Gives exit code, stdout and stderr.
 * @param typed what somebody types at the terminal; at no terminal when left out
 */
export async function sayInPlace(place: Place, args: readonly string[], typed?: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  if (typed !== undefined) stdin.write(`${typed}\n`)
  const code = await runCommandLine({
    argv: [...args, ...(withoutConfiguration.includes(args[0] ?? '') ? [] : ['--config', 'credsync.yaml'])],
    env: place.env,
    cwd: place.folder,
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
