// The program's entry point: connects the command line to the jobs, the process, its streams and its signals.

import { exitOnUnhandledErrors } from '#jobs/worker/exit-on-unhandled-errors.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { openLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { abortOnSignal } from './abort-on-signal.ts'
import { jobActions } from './job-actions.ts'

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
