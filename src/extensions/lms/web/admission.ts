// Admits requests from learning systems and accounts for the memory of their bodies. Unknown and proven senders have
// separate limits, so that unknown senders cannot exhaust the memory of proven ones. The memory of a request is
// released once it is answered.

import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ConnectionGuard } from '#src/platform/connection-guard.ts'
import { type BodyMemory, type HeldBody, openBodyMemory } from './body-memory.ts'
import type { FailedLogins } from './failed-logins.ts'

export type Admission = ReturnType<typeof openAdmission>

/**
 * Twice the largest `maxBytes` that can be configured, so that even the largest body fits in addition to those of other
 * unknown senders.
 */
const unprovenBytes = 20_000_000
const provenBytes = 60_000_000

export function openAdmission(logins: FailedLogins, connections: Pick<ConnectionGuard, 'keep' | 'done'>) {
  const memory = { proven: openBodyMemory(provenBytes, 'newest'), unproven: openBodyMemory(unprovenBytes, 'oldest') }
  const proven = new WeakSet<FastifyRequest>()
  const bodies = new WeakMap<FastifyRequest, HeldBody>()
  const memoryOf = (request: FastifyRequest): BodyMemory => (proven.has(request) ? memory.proven : memory.unproven)

  function release(request: FastifyRequest): void {
    bodies.get(request)?.release()
    bodies.delete(request)
    request.body = undefined
  }

  return {
    /** Records that the sender has proven its identity. */
    markAuthenticated(request: FastifyRequest): void {
      proven.add(request)
      connections.keep(request.raw.socket)
    },
    /** @throws NoRoomError, BodyTooLargeError */
    async readBody(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
      const held = await memoryOf(request).read(payload, request.routeOptions.bodyLimit)
      bodies.set(request, held)
      return held.bytes
    },
    /** Records that the sender failed to prove its identity, and releases its body. */
    refuse(request: FastifyRequest, system: string, reason: string): void {
      release(request)
      logins.add({ system, address: request.ip, reason })
    },
    /** Records that the request was answered, or that its connection broke. */
    end(request: FastifyRequest): void {
      release(request)
      connections.done(request.raw.socket)
    },
    /** The memory taken by the bodies of all requests, in bytes. */
    bytes: () => memory.proven.bytes() + memory.unproven.bytes(),
  }
}
