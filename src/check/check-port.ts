// Checks that the health pages can be served: the port is free, or used by a worker on this machine. Listens on the
// port briefly and, if it is in use, requests its health page.

import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { runningWorkers } from '#src/app/running-workers.ts'
import { type Check, faulty, passed } from './check-result.ts'
import type { Parts } from './open-parts.ts'

const answerMs = 2_000
const remedy = 'Set web.host and web.port to a free port; port 0 takes any free one'

export async function checkPort(parts: Pick<Parts, 'settings' | 'database' | 'ledger'>): Promise<Check[]> {
  const { host, port } = parts.settings.file.web
  const address = `${host}, port ${port}`
  const code = await tryPort(host, port)
  if (code === null)
    return [passed('web', `the health pages can listen on ${port === 0 ? `${host}, any port` : address}`)]
  const isOurs = code === 'EADDRINUSE' && (await answersAsWorker(host, port))
  if (!isOurs) return [faulty('web', `the health pages cannot listen on ${address} (${code})`, remedy)]
  const { database, ledger } = parts
  const workers = database && ledger ? await runningWorkers({ database, ledger }) : []
  // Without the ledger it is unknown to which ledger the worker belongs, and the check of the ledger has already
  // reported why.
  if (!ledger || workers.some((worker) => worker.host === hostname()))
    return [passed('web', `${address} is taken by a worker on this machine`)]
  return [
    faulty(
      'web',
      `the health pages cannot listen on ${address}: a credsync worker with another ledger uses this port`,
      remedy,
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

/** Returns true if the port answers like src/web/health.ts, healthy or not. */
function answersAsWorker(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  // A server that listens on every address is reached through the loopback address.
  const reachableHost = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const request = get(
    { host: reachableHost, port, path: '/health/live', timeout: answerMs, agent: false },
    (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.length > 1_000) request.destroy()
      })
      response.on('end', () => resolve(/^\{"live":(true|false)\b/.test(text)))
    },
  )
  request.on('timeout', () => request.destroy())
  // Has no effect after an answer, because a promise resolves only once.
  request.on('close', () => resolve(false))
  request.on('error', () => resolve(false))
  return promise
}
