// Lets Ctrl-C end a command that may be abandoned immediately, even while it is calling the service or waiting for a
// retry.

import type { Cli } from './cli-context.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

/**
 * Only for commands that may be abandoned at any point: they change nothing in the ledger or the service, and a file
 * that they leave unfinished is completed by the next run (`download`).
 */
export function untilInterrupted(cli: Pick<Cli, 'signal'>, command: Promise<ExitCode>): Promise<ExitCode> {
  const { signal } = cli
  const interrupted = new Promise<ExitCode>((resolve) => {
    if (signal.aborted) resolve(exitCode.interrupted)
    signal.addEventListener('abort', () => resolve(exitCode.interrupted), { once: true })
  })
  return Promise.race([command, interrupted])
}
