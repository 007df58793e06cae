// The sandbox's endpoints behind a web server.

import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Endpoint, Outcome } from './call.ts'
import { RawForm } from './form.ts'
import type { Visit } from './front-desk.ts'
import { parseJsonBody } from './read-body.ts'
import { Refusal } from './refusal.ts'
import type { SandboxInside } from './sandbox-inside.ts'

// A body as it was parsed, with its size, which the endpoints may ask for.
interface Parsed {
  value: unknown
  bytes: number
}

/** A server that does not listen yet. */
export function serveHttp({ settings, desk, endpoints }: SandboxInside): FastifyInstance {
  const visits = new WeakMap<FastifyRequest, Visit>()
  const { maxBodyBytes } = settings
  // Over bodyLimit fastify answers 413 without reading on; undici clients saw that answer, not a reset, 40 times of 40
  // with 11 MB. forceCloseConnections, because clients keep idle connections and close() would wait for them.
  const app = fastify({ bodyLimit: maxBodyBytes, forceCloseConnections: true, exposeHeadRoutes: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer): Promise<Parsed> => ({ value: parseJsonBody(body), bytes: body.length }),
  )
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer): Promise<Parsed> => ({
      value: new RawForm(body, request.headers['content-type'] ?? ''),
      bytes: body.length,
    }),
  )
  app.setErrorHandler((error, request, reply) => send(reply, desk.refuse(visits.get(request), error)))
  app.setNotFoundHandler(() => {
    throw new Refusal(404, 'Not found: the sandbox has no such endpoint.')
  })

  const addRoute = (endpoint: Endpoint) =>
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      async onRequest(request) {
        const visit = desk.arrive(endpoint)
        visits.set(request, visit)
        desk.admit(visit, { address: request.ip, authorization: request.headers.authorization })
      },
      async handler(request, reply) {
        const { value, bytes } = (request.body ?? { value: undefined, bytes: 0 }) as Parsed
        const { params, query } = request as { params: Record<string, string>; query: Record<string, unknown> }
        const call = { params, query, body: value, bytes, origin: `${request.protocol}://${request.host}` }
        const visit = visits.get(request) as Visit
        return send(reply, await desk.answer(visit, call))
      },
    })
  endpoints.forEach(addRoute)
  return app
}

function send(reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (outcome === 'lost') {
    reply.hijack()
    reply.raw.destroy()
    return reply
  }
  return reply.status(outcome.status).header('content-type', outcome.contentType).send(outcome.body)
}
