// Serves the endpoints for learning systems: /events/NAME and /xapi/NAME. An inbound event is authenticated (before its
// body is read, if possible), stored in the ledger, and answered. Nothing else is done while the sender waits, because
// a Moodle site sends events while its learner's page loads.

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#src/app/app.ts'
import type { EndpointAnswer, EndpointHead, InboundEndpoint } from '#src/extensions/lms/systems/inbound-system.ts'
import { createKeySets, fetchKeysOver } from '#src/extensions/lms/webhooks/key-sets.ts'
import { type Admission, closeAfterAnswer } from './admission.ts'

type InboundParts = Pick<App, 'ledger' | 'learning' | 'queues' | 'wire' | 'clock'> & {
  admission: Admission
  newId: () => string
}

/** The Retry-After header, in seconds, for a sender that should send its event again. */
const retryAfterS = 5

export function serveInbound(server: FastifyInstance, parts: InboundParts): void {
  const { learning, admission, ledger, queues, wire, clock, newId } = parts
  if (learning.endpoints.length === 0) return
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
      const systemParts = { inboundEvents: ledger.inboundEvents, keySets, clock, newId, onStored }
      serveEndpoint(routes, parts, system.name, system.open(systemParts))
    }
  })
}

/**
 * Authenticates the sender first, by the headers alone if they suffice, so that the body of an unknown sender is never
 * read.
 */
function serveEndpoint(routes: FastifyInstance, parts: InboundParts, name: string, endpoint: InboundEndpoint): void {
  const { admission } = parts
  async function answerWith(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, headers, body, failedLogin }: EndpointAnswer,
  ) {
    if (failedLogin !== undefined) await admission.refuse(request, name, failedLogin)
    return reply.code(status).headers(headers).send(body)
  }
  const route = {
    bodyLimit: endpoint.maxBytes,
    errorHandler: (error: { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) =>
      answerFailure(error, reply.headers(endpoint.failureHeaders?.({ headers: joinHeaders(request.headers) }) ?? {})),
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      const verdict = endpoint.checkHead(headOf(request))
      if (verdict.kind === 'proven') admission.prove(request)
      return verdict.kind === 'refused' ? answerWith(request, reply, verdict.answer) : undefined
    },
  }
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const prove = () => admission.prove(request)
    return answerWith(request, reply, await endpoint.handle({ ...headOf(request), body: bodyOf(request), prove }))
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
