// Lets Ctrl-C end a read-only command immediately, even while a call to the service is in progress or waits for a
// retry.

import type { Cli } from './cli-context.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

/** Only for commands that change nothing, here or in the service: their work is simply abandoned. */
export function untilInterrupted(cli: Pick<Cli, 'signal'>, command: Promise<ExitCode>): Promise<ExitCode> {
  const { signal } = cli
  const interrupted = new Promise<ExitCode>((resolve) => {
    if (signal.aborted) resolve(exitCode.interrupted)
    signal.addEventListener('abort', () => resolve(exitCode.interrupted), { once: true })
  })
  return Promise.race([command, interrupted])
}
