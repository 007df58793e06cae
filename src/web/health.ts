// Health pages of the worker. Live says that the process turns; ready says that it could do its work now.
// Live never asks a database: an outage must not restart every worker there is.

import fastify from 'fastify'
import type { App } from '#src/app.ts'

export interface HealthPages extends AsyncDisposable {
  url: string
  /** From now on not ready: the process is about to stop. */
  unready(): void
}

export async function serveHealth(
  app: Pick<App, 'database' | 'queues' | 'log'>,
  at: { host: string; port: number },
): Promise<HealthPages> {
  const server = fastify({ logger: false })
  let stopping = false
  server.get('/health/live', async () => ({ live: true }))
  server.get('/health/ready', async (_, reply) => {
    const [database, queues] = await Promise.all([
      app.database.query('SELECT 1').then(
        () => true,
        () => false,
      ),
      app.queues.healthy().catch(() => false),
    ])
    const ready = database && queues && !stopping
    return reply.code(ready ? 200 : 503).send({ ready, database, queues, stopping })
  })
  // A copy: fastify writes into what it is given, and settings are frozen.
  const url = await server.listen({ ...at })
  app.log.event('web.listening', { port: Number(new URL(url).port) })
  return {
    url,
    unready() {
      stopping = true
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}
