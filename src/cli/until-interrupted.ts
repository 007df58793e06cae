// Ctrl-C ends a command that only looks at once, also while a call to the service is under way or waits to be tried again.

import { type ExitCode, exitCode } from './exit-code.ts'
import type { Cli } from './surroundings.ts'

/** For commands that change nothing, here or at the service: what they were doing is simply left. */
export function untilInterrupted(cli: Pick<Cli, 'signal'>, command: Promise<ExitCode>): Promise<ExitCode> {
  const { signal } = cli
  const interrupted = new Promise<ExitCode>((resolve) => {
    if (signal.aborted) resolve(exitCode.interrupted)
    signal.addEventListener('abort', () => resolve(exitCode.interrupted), { once: true })
  })
  return Promise.race([command, interrupted])
}
