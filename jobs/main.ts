// The program's entry point: connects the command line to the jobs, the process, its streams and its signals.

import { randomInt } from 'node:crypto'
import { exitOnUnhandledErrors } from '#jobs/worker/exit-on-unhandled-errors.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { openLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { handleOutputErrors } from './handle-output-errors.ts'
import { jobActions } from './job-actions.ts'

/**
 * How long a repeated signal counts as the same Ctrl-C: a terminal signals the whole process group, and npm, or
 * credsync.mjs under an older Node, forwards the signal as well. On a busy machine that takes a second or more.
 */
const sameSignalMs = 3_000

/**
 * Returns a signal that is aborted by the first SIGINT or SIGTERM. A later one ends the process immediately, which is
 * safe: rows that are being sent are `sending` in the ledger.
 */
function abortOnSignal(): AbortSignal {
  const controller = new AbortController()
  let firstSignalMs = Number.POSITIVE_INFINITY
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (systemClock.monotonicMs() - firstSignalMs > sameSignalMs) process.exit(name === 'SIGINT' ? 130 : 1)
      if (controller.signal.aborted) return
      firstSignalMs = systemClock.monotonicMs()
      controller.abort(name)
    })
  return controller.signal
}

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
  signal: abortOnSignal(),
  jobs: jobActions,
})
// Exits explicitly, because a handle that a library left open must not keep a finished command running. stdout is
// flushed first; its errors are reported one tick after the last write.
process.stdout.write('', () => setImmediate(() => process.exit(exitCodeFor(code))))
