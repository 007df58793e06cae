// The embedded server's log: one file in its data directory, rotated when it has grown large.

import { open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { lastLines } from './embedded-command.ts'

const maxLogBytes = 1_000_000
const tailBytes = 16_384

/** Returns the path of the server's log; the previous log is next to it, with `.1` appended to its name. */
export function logPath(pgData: string): string {
  return join(pgData, 'server.log')
}

/**
 * Rotates a large log before a start of the server; one previous log is kept. Rotating only then is enough, because the
 * log (starts, stops, lost connections) grows by only kilobytes a month. PostgreSQL's own log collector cannot limit
 * the total size.
 */
export async function rotateLargeLog(pgData: string): Promise<void> {
  const size = (await stat(logPath(pgData)).catch(() => null))?.size ?? 0
  if (size > maxLogBytes) await rename(logPath(pgData), `${logPath(pgData)}.1`).catch(() => undefined)
}

/** Returns the last lines of the log, oldest first; none if it cannot be read. */
export async function readLogTail(pgData: string): Promise<string[]> {
  const handle = await open(logPath(pgData), 'r').catch(() => null)
  if (handle === null) return []
  try {
    const { size } = await handle.stat()
    const start = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(tailBytes), 0, tailBytes, start)
    return lastLines(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await handle.close()
  }
}
