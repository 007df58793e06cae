// The doors for learning systems: /events/NAME and /xapi/NAME. What comes is proven, stored and answered, and nothing else is done while the
// sender waits: a Moodle sends from within its learner's own page.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { XapiSettings } from '#config/system-settings.ts'
import type { App } from '#src/app.ts'
import { type Authenticate, createAuthenticator } from '#src/events/authenticate.ts'
import { deliveryKey } from '#src/events/delivery-key.ts'
import type { Door } from '#src/learning/open-learning.ts'
import { openStatementStore } from '#src/learning/statement-store.ts'
import { answered, versionHeader } from '#src/xapi/edition.ts'
import { openXapi, type XapiAnswer, type XapiRequest } from '#src/xapi/receiver.ts'

type DeliveryParts = Pick<App, 'ledger' | 'learning' | 'queues' | 'wire' | 'clock' | 'log'> & { newId: () => string }

/** Headers that are kept: none of them proves who sent it. */
const keptHeaders = ['content-type', 'user-agent', 'webhook-id', 'ce-id', 'ce-source', 'ce-type']
const keysDeadlineMs = 10_000
const mostKeyBytes = 1_000_000

export function serveDeliveries(server: FastifyInstance, parts: DeliveryParts): void {
  const { learning } = parts
  if (learning.doors.length === 0) return
  server.register(async (doors) => {
    // Whatever its type, a body stays the bytes that were signed.
    doors.removeAllContentTypeParsers()
    doors.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    doors.setErrorHandler((error: { statusCode?: number }, request, reply) => {
      if (request.url.startsWith('/xapi/'))
        reply.header(versionHeader, answered(textsOf(request.headers)[versionHeader]))
      const status = error.statusCode ?? 500
      if (status >= 500) return reply.code(503).send({ error: 'Nothing was stored. Send it again.' })
      const sentence = status === 413 ? 'The body is larger than maxBytes of this system allows.' : 'It cannot be read.'
      return reply.code(status).send({ error: sentence })
    })
    const authenticate = createAuthenticator((url) => fetchKeys(parts, url))
    for (const door of learning.doors) {
      const bodyLimit = door.settings.maxBytes
      if (door.settings.type === 'webhook')
        doors.post(`/events/${door.name}`, { bodyLimit }, (request, reply) =>
          take(parts, authenticate, door, request, reply),
        )
      else {
        const answer = xapiDoor(parts, door.name, door.settings)
        doors.all(`/xapi/${door.name}/*`, { bodyLimit }, (request, reply) => carry(door.name, answer, request, reply))
      }
    }
  })
}

async function take(
  { ledger, queues, clock, log }: DeliveryParts,
  authenticate: Authenticate,
  { name, settings }: Door,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (settings.type !== 'webhook') return reply.code(404).send()
  const headers = textsOf(request.headers)
  const body = bodyOf(request)
  const verdict = await authenticate(settings.auth, { headers, body, remoteAddress: request.ip }, clock.now())
  if (!verdict.ok) {
    log.event('delivery.refused', { system: name, reason: verdict.why })
    return reply.code(verdict.why === 'keys-unavailable' ? 503 : 401).send({ error: verdict.why })
  }
  const key = deliveryKey(settings.map, headers, verdict.body)
  const kept = Object.fromEntries(Object.entries(headers).filter(([header]) => keptHeaders.includes(header)))
  const stored = await ledger.deliveries.keep([{ system: name, key, headers: kept, body: verdict.body }])
  if (stored > 0) void queues.ask('learning', { judge: name })
  return reply.code(200).send({ stored: stored > 0 })
}

function xapiDoor({ ledger, queues, clock, newId }: DeliveryParts, name: string, { user, password }: XapiSettings) {
  const expected = digest(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  return openXapi({
    authenticate: (authorization) => timingSafeEqual(digest(authorization ?? ''), expected),
    store: openStatementStore(ledger.deliveries, name, () => void queues.ask('learning', { judge: name })),
    newId,
    clock,
  })
}

async function carry(
  name: string,
  answer: (request: XapiRequest) => Promise<XapiAnswer>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { pathname, searchParams } = new URL(request.url, 'http://here')
  const { status, headers, body } = await answer({
    method: request.method,
    path: pathname.slice(`/xapi/${name}`.length),
    query: searchParams,
    headers: textsOf(request.headers),
    body: bodyOf(request),
  })
  return reply.code(status).headers(headers).send(body)
}

/** A sender's public keys, as JSON. @throws Error when they cannot be had */
async function fetchKeys({ wire }: DeliveryParts, url: string): Promise<unknown> {
  const heard = await wire.send({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    deadlineMs: keysDeadlineMs,
    maxBytes: mostKeyBytes,
  })
  if (heard.kind !== 'answer' || heard.status !== 200) throw new Error('The keys of a sender could not be fetched.')
  return JSON.parse(heard.text)
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const bodyOf = ({ body }: FastifyRequest) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

function textsOf(headers: FastifyRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
