// What a worker serves on its port: health and metrics, for probes and Prometheus, who have no login, so that they change nothing, and no
// person, file or id is in them; and the doors for learning systems, who prove who they are.

import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import type { App } from '#src/app.ts'
import { openHealth } from './health.ts'
import { openMetricsPage } from './metrics-page.ts'
import type { Metrics } from './open-metrics.ts'
import { serveDeliveries } from './serve-deliveries.ts'

export interface Web extends AsyncDisposable {
  url: string
  /** From now on not ready: the process is about to stop. */
  unready(): void
}

/** @param metrics what was opened before the app, so that it has seen everything */
export async function serveWeb(
  app: App,
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<Web> {
  // Nobody else's word about an address counts: an empty list makes it that of the connection.
  const server = fastify({ logger: false, trustProxy: [...app.settings.file.web.trustedProxies] })
  const health = openHealth(app)
  const metricsPage = openMetricsPage(app, metrics, health)
  server.get('/health/live', async (_, reply) => {
    const found = health.live()
    return reply.code(found.live ? 200 : 503).send(found)
  })
  server.get('/health/ready', async (_, reply) => {
    const found = await health.ready()
    return reply.code(found.ready ? 200 : 503).send(found)
  })
  server.get('/metrics', async (_, reply) => reply.type(metrics.registry.contentType).send(await metricsPage()))
  serveDeliveries(server, { ...app, newId: randomUUID })
  const url = await server.listen({ host, port })
  app.log.event('web.listening', { port: Number(new URL(url).port) })
  return { url, unready: health.unready, [Symbol.asyncDispose]: () => server.close() }
}
