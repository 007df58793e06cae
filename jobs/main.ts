// The program: the command line at the door, the stories behind it.

import { randomInt } from 'node:crypto'
import { runCommandLine } from '#src/cli/command-line.ts'
import { systemClock } from '#src/time/clock.ts'
import { doing } from './doing.ts'
import { watchOutput } from './watch-output.ts'

/** One Ctrl-C may arrive twice: a terminal signals the whole group, and credsync.mjs under an older Node passes it on as well. */
const echoMs = 1_000

/** Stops on the first signal; a later one ends the process at once, which is safe: whatever was being sent is `sending` in the ledger. */
function untilSignalled(): AbortSignal {
  const ending = new AbortController()
  let firstMs = Number.POSITIVE_INFINITY
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (systemClock.monotonicMs() - firstMs > echoMs) process.exit(name === 'SIGINT' ? 130 : 1)
      if (ending.signal.aborted) return
      firstMs = systemClock.monotonicMs()
      ending.abort(name)
    })
  return ending.signal
}

const endWith = watchOutput(process)
const code = await runCommandLine({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  clock: systemClock,
  random: () => randomInt(2 ** 32) / 2 ** 32,
  // Looked at only when somebody is asked: a stream that is once touched is open.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  signal: untilSignalled(),
  doing,
})
// Whatever a library left open must not keep a finished command alive; stdout is flushed first, and its faults are
// told a tick after the last write is done with.
process.stdout.write('', () => setImmediate(() => process.exit(endWith(code))))
