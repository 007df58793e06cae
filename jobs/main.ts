// The program's entry point: connects the command line to the jobs, the process, its streams and its signals.

import { exitOnUnhandledErrors } from '#jobs/worker/exit-on-unhandled-errors.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { openLog } from '#src/platform/log/log.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import { jobActions } from './job-actions.ts'

// Handles errors of stdout and stderr, such as a pipe that its reader has closed.

interface Output {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  write(text: string): unknown
}

/**
 * Lets a command finish when its output can no longer be written. A reader such as `head` closes the pipe when it has
 * read enough. That is not an error: the remaining output is dropped and the command ends as usual. Most Unix programs
 * would be terminated, but issuing a list must not depend on a reader. Any other fault, such as a full disk, is
 * reported once, because a result is missing.
 * @returns a function that converts the command's exit code to that of the process: 0 becomes 1 if output was lost
 */
function handleOutputErrors({ stdout, stderr }: { stdout: Output; stderr: Output }): (code: number) => number {
  let isOutputLost = false
  stderr.on('error', () => {})
  stdout.on('error', ({ code = 'unknown' }) => {
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || isOutputLost) return
    isOutputLost = true
    stderr.write(
      `The results could not be written to stdout (${code}). Check whether the disk of that file is full, then run the command again.\n`,
    )
  })
  return (code) => (isOutputLost && code === 0 ? 1 : code)
}

// Turns the first SIGINT or SIGTERM into an aborted signal, and lets a later one end the process.

interface Process {
  on(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): unknown
}

/**
 * How long a repeated signal counts as the same Ctrl-C: a terminal signals the whole process group, and npm, or
 * credsync.mjs under an older Node, forwards the signal as well. On a busy machine that takes a second or more.
 */
const sameSignalMs = 3_000

/**
 * Returns a signal that is aborted by the first SIGINT or SIGTERM. A later one ends the process immediately, which is
 * safe: rows that are being sent are `sending` in the ledger.
 */
export function abortOnSignal(running: Process, clock: Pick<Clock, 'monotonicMs'>): AbortSignal {
  const controller = new AbortController()
  let firstSignalMs = Number.POSITIVE_INFINITY
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    running.on(name, () => {
      if (clock.monotonicMs() - firstSignalMs > sameSignalMs) running.exit(name === 'SIGINT' ? 130 : 1)
      if (controller.signal.aborted) return
      firstSignalMs = clock.monotonicMs()
      controller.abort(name)
    })
  return controller.signal
}

/** A start that has taken this long is one of the first, before the code is compiled and in memory. */
const slowStartMs = 250

if (process.stderr.isTTY && systemClock.monotonicMs() > slowStartMs)
  process.stderr.write('Loading. The first commands after an installation take longer.\n')
exitOnUnhandledErrors(process, openLog('error', process.stderr))
const exitCodeFor = handleOutputErrors(process)
const code = await runCommandLine({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  clock: systemClock,
  // Not from node:crypto, which takes 2 MB when it is imported.
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32,
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
