// Serves the endpoints for learning systems: /events/NAME and /xapi/NAME. An inbound event is authenticated (before its
// body is read, if possible), stored in the ledger, and answered. Nothing else is done while the sender waits, because
// a Moodle site sends events while its learner's page loads.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { App } from '#src/app/app.ts'
import type { EndpointAnswer, EndpointHead, InboundEndpoint } from '#src/extensions/lms/systems/inbound-system.ts'
import { createKeySets, fetchKeysOver } from '#src/extensions/lms/webhooks/key-sets.ts'
import type { ConnectionGuard } from '#src/platform/connection-guard.ts'
import { closeAfterAnswer } from '#src/web/close-after-answer.ts'
import { type Admission, openAdmission } from './admission.ts'
import { openFailedLogins } from './failed-logins.ts'

type InboundParts = Pick<App, 'ledger' | 'learning' | 'queues' | 'wire' | 'clock' | 'log'>

/** The Retry-After header, in seconds, for a sender that should send its event again. */
const retryAfterS = 5

/** @returns what to dispose of before the server closes: this logs the rest of the failed logins */
export function serveInbound(
  server: FastifyInstance,
  parts: InboundParts,
  { guard, registry }: { guard: ConnectionGuard; registry: Registry },
): AsyncDisposable {
  const { learning, ledger, queues, wire, clock } = parts
  const logins = openFailedLogins(parts)
  const admission = openAdmission(logins, guard)
  new Gauge({
    name: 'credsync_body_bytes',
    help: 'Memory for the bodies of inbound events that are being received or processed.',
    registers: [registry],
    collect() {
      this.set(admission.bytes())
    },
  })
  if (learning.endpoints.length === 0) return logins
  const keySets = createKeySets(fetchKeysOver(wire.send))
  server.register(async (routes) => {
    // Bodies of any content type are kept as raw bytes, because signatures cover the bytes.
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
      admission.readBody(request, payload),
    )
    routes.addHook('onResponse', async (request) => admission.end(request))
    for (const system of learning.endpoints) {
      const onStored = () => void queues.enqueue('learning', { kind: 'process-events', system: system.name })
      const systemParts = { inboundEvents: ledger.inboundEvents, keySets, clock, newId: randomUUID, onStored }
      serveEndpoint(routes, admission, system.name, system.open(systemParts))
    }
  })
  return logins
}

/**
 * Authenticates the sender first, by the headers alone if they suffice, so that the body of an unknown sender is never
 * read.
 */
function serveEndpoint(routes: FastifyInstance, admission: Admission, name: string, endpoint: InboundEndpoint): void {
  function answerWith(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, headers, body, failedLogin }: EndpointAnswer,
  ) {
    if (failedLogin !== undefined) admission.refuse(request, name, failedLogin)
    return reply.code(status).headers(headers).send(body)
  }
  const route = {
    bodyLimit: endpoint.maxBytes,
    errorHandler: (error: { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) =>
      answerFailure(error, reply.headers(endpoint.failureHeaders?.({ headers: joinHeaders(request.headers) }) ?? {})),
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      const verdict = endpoint.checkHead(headOf(request))
      if (verdict.kind === 'proven') admission.markAuthenticated(request)
      return verdict.kind === 'refused' ? answerWith(request, reply, verdict.answer) : undefined
    },
  }
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const markAuthenticated = () => admission.markAuthenticated(request)
    return answerWith(
      request,
      reply,
      await endpoint.handle({ ...headOf(request), body: bodyOf(request), markAuthenticated }),
    )
  }
  if (endpoint.methods === 'POST') routes.post(endpoint.path, route, handler)
  else routes.all(endpoint.path, route, handler)
}

function answerFailure({ statusCode: status = 500 }: { statusCode?: number }, reply: FastifyReply): FastifyReply {
  if (status >= 500)
    return closeAfterAnswer(reply.code(503).header('retry-after', retryAfterS)).send({
      error: 'Nothing was stored. Send the event again.',
    })
  const sentence =
    status === 413 ? 'The body is larger than maxBytes of this system allows.' : 'The request cannot be read.'
  return closeAfterAnswer(reply.code(status)).send({ error: sentence })
}

function headOf({ method, url, headers, ip }: FastifyRequest): EndpointHead {
  return { method, url, headers: joinHeaders(headers), remoteAddress: ip }
}

const bodyOf = ({ body }: FastifyRequest) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

function joinHeaders(headers: FastifyRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
