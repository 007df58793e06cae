// Checks that the health pages can be served: the port is free, or in use while a worker runs on this machine. Listens
// on the port briefly.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { runningWorkers } from '#src/app/running-workers.ts'
import { type Check, faulty, passed } from './check-result.ts'
import type { Parts } from './open-parts.ts'

export async function checkPort({
  settings,
  database,
  ledger,
}: Pick<Parts, 'settings' | 'database' | 'ledger'>): Promise<Check[]> {
  const { host, port } = settings.file.web
  const address = `${host}, port ${port}`
  const code = await tryPort(host, port)
  if (code === null)
    return [passed('web', `the health pages can listen on ${port === 0 ? `${host}, any port` : address}`)]
  if (code === 'EADDRINUSE') {
    // Without the ledger it is unknown whose port it is, and the check of the ledger has already reported why.
    if (!database || !ledger) return []
    const workers = await runningWorkers({ database, ledger })
    if (workers.some((worker) => worker.host === hostname()))
      return [passed('web', `${address} is in use, and a worker of this ledger runs on this machine`)]
  }
  return [
    faulty(
      'web',
      `the health pages cannot listen on ${address} (${code})`,
      'Set web.host and web.port to a free port; port 0 takes any free one',
    ),
  ]
}

/**
 * Listens on the port briefly, because only that shows whether it is allowed.
 * @returns an error code, or null if the port is free
 */
export async function tryPort(host: string, port: number): Promise<string | null> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  } finally {
    server.close()
  }
}
