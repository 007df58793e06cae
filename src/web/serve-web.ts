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

/** For a whole request with its body. */
const requestMs = 60_000
/** At the end, for requests that are under way: whoever never ends theirs must not keep the worker from ending. */
const lastMs = 5_000

/** @param metrics what was opened before the app, so that it has seen everything */
export async function serveWeb(
  app: App,
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<Web> {
  // Nobody else's word about an address counts: an empty list makes it that of the connection.
  const trustProxy = [...app.settings.file.web.trustedProxies]
  const server = fastify({ logger: false, trustProxy, requestTimeout: requestMs })
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
  async function close() {
    const closed = new AbortController()
    app.clock.sleep(lastMs, closed.signal).then(
      () => server.server.closeAllConnections(),
      () => {},
    )
    await server.close().finally(() => closed.abort())
  }
  return { url, unready: health.unready, [Symbol.asyncDispose]: close }
}
