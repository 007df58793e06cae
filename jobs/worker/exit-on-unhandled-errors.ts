// Logs the class of an unhandled error, without its message, and exits.

import { faultName } from '#src/platform/log/fault-name.ts'
import type { Log } from '#src/platform/log/log.ts'

interface Process {
  on(event: 'uncaughtException', listener: (error: unknown, origin: string) => void): unknown
  exit(code: number): unknown
}

/**
 * Node itself would print the error, whose message may contain personal data, a key or an address. Unhandled rejections
 * arrive here too. Continuing is not safe, because it is unknown what was left half done. Exiting is safe, because the
 * ledger records what was in progress.
 */
export function exitOnUnhandledErrors(running: Process, log: Log): void {
  running.on('uncaughtException', (error, origin) => {
    log.event('process.failed', { error: faultName(error), reason: origin, where: locationOf(error) })
    running.exit(1)
  })
}

/** @returns the first stack frame in this program's own files or in a package; never a part of the message */
function locationOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return /^ {4}at [^\n]*?\b((?:src|jobs|config|node_modules)\/[\w./@-]+:\d+):\d+\)?$/m.exec(stack)?.[1] ?? 'unknown'
}
