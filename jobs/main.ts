// The program's entry point: connects the command line to the jobs, the process, its streams and its signals.

import { randomInt } from 'node:crypto'
import { exitOnUnhandledErrors } from '#jobs/worker/exit-on-unhandled-errors.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { openLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { abortOnSignal } from './abort-on-signal.ts'
import { handleOutputErrors } from './handle-output-errors.ts'
import { jobActions } from './job-actions.ts'

exitOnUnhandledErrors(process, openLog('error', process.stderr))
const exitCodeFor = handleOutputErrors(process)
const code = await runCommandLine({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  clock: systemClock,
  random: () => randomInt(2 ** 32) / 2 ** 32,
  // A getter, because reading the property process.stdin opens the stream, which only prompts need.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  signal: abortOnSignal(process, systemClock),
  jobs: jobActions,
})
// Exits explicitly, because a handle that a library left open must not keep a finished command running. stdout is
// flushed first; its errors are reported one tick after the last write.
process.stdout.write('', () => setImmediate(() => process.exit(exitCodeFor(code))))
