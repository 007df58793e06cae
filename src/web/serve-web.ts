// Serves the worker's port: pages with health and metrics, and the endpoints for learning systems. Probes and
// Prometheus have no login, so these pages change nothing and contain no personal data, file names or ids. Learning
// systems are authenticated.

import fastify from 'fastify'
import type { App } from '#src/app/app.ts'
import { openLearningNotices } from '#src/extensions/lms/web/health-notices.ts'
import { serveInbound } from '#src/extensions/lms/web/serve-inbound.ts'
import { closeWithin } from '#src/platform/close-within.ts'
import { openConnectionGuard } from '#src/platform/connection-guard.ts'
import { closeAfterAnswer } from './close-after-answer.ts'
import { type FindNotices, openHealth } from './health.ts'
import { openMetricsPage } from './metrics-page.ts'
import type { Metrics } from './open-metrics.ts'

export type Web = Awaited<ReturnType<typeof serveWeb>>

/** The time limit for receiving a whole request with its body. */
const requestMs = 60_000
/** How long stopping waits for running requests: a request that never ends must not keep the worker from stopping. */
const drainMs = 5_000

/**
 * Starts listening.
 * @param metrics opened before the app, so that they include everything
 * @param guard shared with the other port of this process
 */
export async function serveWeb(
  app: App,
  metrics: Metrics,
  { host, port }: { host: string; port: number },
  guard = openConnectionGuard(),
) {
  // Forwarded addresses count only from trusted proxies; with an empty list, the connection's own address counts.
  const trustProxy = [...app.settings.file.web.trustedProxies]
  const server = fastify({
    logger: false,
    trustProxy,
    serverFactory: (listener) => guard.serve(listener, { requestMs }),
  })
  // Unknown paths are refused before the body is read.
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) return closeAfterAnswer(reply.code(404)).send({ error: 'Nothing is served at this address.' })
  })
  const notices: FindNotices[] = []
  notices.push(openLearningNotices(app))
  const health = openHealth(app, notices)
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
  const inbound = serveInbound(server, app, { guard, registry: metrics.registry })
  const url = await server.listen({ host, port })
  app.log.event('web.listening', { port: Number(new URL(url).port) })
  async function close() {
    await inbound[Symbol.asyncDispose]()
    await closeWithin(drainMs, app.clock, { server: server.server, close: () => server.close() })
  }
  return { url, unready: health.unready, [Symbol.asyncDispose]: close }
}
