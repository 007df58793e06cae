// The server's own log: one file in its data directory, put aside when it has grown.

import { open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { lastLines } from './embedded-command.ts'

const largestBytes = 1_000_000
const tailBytes = 16_384

/** The server's log; the one before it is beside it, with `.1` behind its name. */
export function logPath(pgData: string): string {
  return join(pgData, 'server.log')
}

/**
 * Puts a large log aside before a start, over the one put aside earlier. Only then: PostgreSQL's own collector can't
 * cap by size, and what this log still holds (starts, stops, lost connections) grows by kilobytes a month.
 */
export async function putLargeLogAside(pgData: string): Promise<void> {
  const size = (await stat(logPath(pgData)).catch(() => null))?.size ?? 0
  if (size > largestBytes) await rename(logPath(pgData), `${logPath(pgData)}.1`).catch(() => undefined)
}

/** The last lines of the log, oldest first; none when it can't be read. */
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
