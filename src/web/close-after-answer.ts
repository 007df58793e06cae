import type { FastifyReply } from 'fastify'

/** Makes the response close the connection; otherwise the rest of a body that is no longer read would still arrive. */
export function closeAfterAnswer(reply: FastifyReply): FastifyReply {
  return reply.header('connection', 'close')
}
