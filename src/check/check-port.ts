// Whether the health pages can be served: the port is free, or the worker that runs here has it.

import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { bad, type Check, good } from './check.ts'
import { runningWorkers } from './check-worker.ts'
import type { Parts } from './open-parts.ts'

const answerMs = 2_000
const choose = 'Set web.host and web.port to what is free; port 0 takes any'

export async function checkPort(parts: Pick<Parts, 'settings' | 'database' | 'ledger'>): Promise<Check[]> {
  const { host, port } = parts.settings.file.web
  const at = `${host}, port ${port}`
  const code = await tryPort(host, port)
  if (code === null) return [good('web', `the health pages can listen on ${port === 0 ? `${host}, any port` : at}`)]
  const isOurs = code === 'EADDRINUSE' && (await answersAsWorker(host, port))
  if (!isOurs) return [bad('web', `the health pages cannot listen on ${at} (${code})`, choose)]
  const { database, ledger } = parts
  const workers = database && ledger ? await runningWorkers({ database, ledger }) : []
  // Without the ledger nobody knows whose worker it is, and the ledger's own fault stands above.
  if (!ledger || workers.some((worker) => worker.host === hostname()))
    return [good('web', `${at} is taken by a worker that runs here`)]
  return [bad('web', `the health pages cannot listen on ${at}: a credsync that works on another ledger has it`, choose)]
}

/** A port is tried by listening on it for a moment: nothing else tells that one may. @returns a code, or null when it is free */
async function tryPort(host: string, port: number): Promise<string | null> {
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

/** Whoever has it answers as src/web/health.ts does, also when it is not well. */
function answersAsWorker(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  // Who listens on every address is asked at this machine's own.
  const at = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const request = get({ host: at, port, path: '/health/live', timeout: answerMs, agent: false }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      if (text.length > 1_000) request.destroy()
    })
    answer.on('end', () => resolve(/^\{"live":(true|false)\b/.test(text)))
  })
  request.on('timeout', () => request.destroy())
  // Also after the answer: a promise is kept once.
  request.on('close', () => resolve(false))
  request.on('error', () => resolve(false))
  return promise
}
