// Serves the sandbox's endpoints with a web server.

import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '#sandboxes/clock.ts'
import type { SandboxEndpoint, SandboxOutcome } from './call.ts'
import type { ArrivedCall } from './call-pipeline.ts'
import { RawForm } from './form.ts'
import { parseJsonBody } from './read-body.ts'
import { SandboxRefusal } from './refusal.ts'
import type { SandboxInternals } from './sandbox-internals.ts'

// A parsed body, and its size, which some endpoints need.
interface Parsed {
  value: unknown
  bytes: number
}

/** Returns a server that is not listening yet. */
export function serveHttp({ settings, admission, endpoints }: SandboxInternals, clock: Clock): FastifyInstance {
  const arrivedCalls = new WeakMap<FastifyRequest, ArrivedCall>()
  const { maxBodyBytes } = settings
  // Above bodyLimit fastify answers 413 without reading further; undici clients received that response instead of a
  // reset in 40 of 40 tries with 11 MB. forceCloseConnections is set because close() would wait for clients' idle
  // connections.
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
  app.setErrorHandler((error, request, reply) => send(reply, admission.refuse(arrivedCalls.get(request), error)))
  app.setNotFoundHandler(() => {
    throw new SandboxRefusal(404, 'Not found: the sandbox has no such endpoint.')
  })

  const addRoute = (endpoint: SandboxEndpoint) =>
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      async onRequest(request) {
        const arrived = admission.arrive(endpoint)
        arrivedCalls.set(request, arrived)
        admission.admit(arrived, { address: request.ip, authorization: request.headers.authorization })
      },
      async handler(request, reply) {
        const { value, bytes } = (request.body ?? { value: undefined, bytes: 0 }) as Parsed
        const { params, query } = request as { params: Record<string, string>; query: Record<string, unknown> }
        const call = { params, query, body: value, bytes, origin: `${request.protocol}://${request.host}` }
        const arrived = arrivedCalls.get(request) as ArrivedCall
        const outcome = await admission.answer(arrived, call)
        if (settings.answerMs > 0) await clock.sleep(settings.answerMs)
        return send(reply, outcome)
      },
    })
  endpoints.forEach(addRoute)
  return app
}

function send(reply: FastifyReply, outcome: SandboxOutcome): FastifyReply {
  if (outcome === 'lost') {
    reply.hijack()
    reply.raw.destroy()
    return reply
  }
  return reply.status(outcome.status).header('content-type', outcome.contentType).send(outcome.body)
}
