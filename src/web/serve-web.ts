// Serves the worker's port: pages with health and metrics, and the endpoints for learning systems. Probes and
// Prometheus have no login, so these pages change nothing and contain no personal data, file names or ids. Learning
// systems are authenticated.

import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import type { App } from '#src/app/app.ts'
import { closeWithin } from '#src/platform/close-within.ts'
import { closeAfterAnswer, openAdmission } from './admission.ts'
import { openFailedLogins } from './failed-logins.ts'
import { openHealth } from './health.ts'
import { limitConnections } from './limit-connections.ts'
import { openMetricsPage } from './metrics-page.ts'
import type { Metrics } from './open-metrics.ts'
import { serveInbound } from './serve-inbound.ts'

export interface Web extends AsyncDisposable {
  url: string
  /**
   * Makes the process not ready from now on, because it is about to stop.
   * @param why a sentence, if the process stops for a reason other than a request to stop
   */
  unready(why: string | null): void
}

/** The time limit for receiving a whole request with its body. */
const requestMs = 60_000
/** Each connection takes one file descriptor. A worker needs a hundred for itself, and systems commonly allow 1,024. */
const maxConnections = 500
/** How long stopping waits for running requests: a request that never ends must not keep the worker from stopping. */
const drainMs = 5_000

/**
 * Starts listening.
 * @param metrics opened before the app, so that they include everything
 */
export async function serveWeb(
  app: App,
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<Web> {
  // Forwarded addresses count only from trusted proxies; with an empty list, the connection's own address counts.
  const trustProxy = [...app.settings.file.web.trustedProxies]
  const server = fastify({ logger: false, trustProxy, requestTimeout: requestMs })
  refusePipelining(server)
  // Unknown paths are refused before the body is read.
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) return closeAfterAnswer(reply.code(404)).send({ error: 'Nothing is served at this address.' })
  })
  const logins = openFailedLogins(app)
  const admission = openAdmission(logins, limitConnections(server.server, maxConnections))
  const health = openHealth(app)
  const metricsPage = openMetricsPage(app, metrics, health)
  new Gauge({
    name: 'credsync_body_bytes',
    help: 'Memory for the bodies of inbound events that are being received or processed.',
    registers: [metrics.registry],
    collect() {
      this.set(admission.bytes())
    },
  })
  server.get('/health/live', async (_, reply) => {
    const found = health.live()
    return reply.code(found.live ? 200 : 503).send(found)
  })
  server.get('/health/ready', async (_, reply) => {
    const found = await health.ready()
    return reply.code(found.ready ? 200 : 503).send(found)
  })
  server.get('/metrics', async (_, reply) => reply.type(metrics.registry.contentType).send(await metricsPage()))
  serveInbound(server, { ...app, admission, newId: randomUUID })
  const url = await server.listen({ host, port })
  app.log.event('web.listening', { port: Number(new URL(url).port) })
  async function close() {
    await logins[Symbol.asyncDispose]()
    await closeWithin(drainMs, app.clock, { server: server.server, close: () => server.close() })
  }
  return { url, unready: health.unready, [Symbol.asyncDispose]: close }
}

/**
 * Closes a connection that sends its next request before the last one was answered. Hundreds of such requests fit into
 * one read, so a few unknown senders could block this process for minutes. No learning system or proxy does this.
 */
function refusePipelining(server: FastifyInstance): void {
  const busy = new WeakSet<Socket>()
  server.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    if (!busy.has(socket)) return void busy.add(socket)
    socket.destroy()
    return reply.hijack()
  })
  server.addHook('onResponse', async ({ raw: { socket } }) => void busy.delete(socket))
}
