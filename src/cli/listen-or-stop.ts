// Starts a server whose address may not be available.

import { UsageError } from './exit-code.ts'
import type { RunningWorker } from './job-actions.ts'

/**
 * Starts the server.
 * @throws UsageError if the address is not available; the worker is stopped first, so that it does not run unmonitored
 */
export async function orRefuse<Server>(
  worker: RunningWorker,
  serve: () => Promise<Server>,
  { what, setting, address, otherwise }: ListenerWords,
): Promise<Server> {
  try {
    return await serve()
  } catch (error) {
    await worker.stop()
    const { code = '' } = error as NodeJS.ErrnoException
    // Other codes are internal errors and must be reported as such.
    if (!['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND'].includes(code)) throw error
    throw new UsageError(
      `${what} cannot listen on ${address.host}, port ${address.port} (${code}). Set ${setting}.host and ${setting}.port to a free address (port 0 uses any free port)${otherwise}.`,
    )
  }
}

interface ListenerWords {
  what: string
  setting: string
  address: { host: string; port: number }
  otherwise: string
}
