// Serves the console: checks where a request comes from and who sends it, and hands it to its page. Every decision
// about access is made here, before any page begins.

import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { App } from '#src/app/app.ts'
import type { ConsoleSettings } from '#src/extensions/console/settings/console-settings.ts'
import { closeWithin } from '#src/platform/close-within.ts'
import { type ConnectionGuard, openConnectionGuard } from '#src/platform/connection-guard.ts'
import { limitConcurrency } from '#src/platform/limits/limit-concurrency.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { decisionMessage } from './decisions/answer-decision.ts'
import { openTimes } from './html/times.ts'
import { openResponses, readAssets } from './respond.ts'
import { consoleRoutes, mayOpen, type Route } from './routes.ts'
import { isFromOwnPage, openSlowRequests, type SlowRequests, securityHeaders } from './security/http-security.ts'
import { ownAddress } from './security/own-address.ts'
import { sessionHash } from './security/session-cookie.ts'
import { openSignInLimits } from './security/sign-in-limits.ts'
import { cookieOf } from './sign-in/local-sign-in.ts'
import { proxiedPerson, repeatsIdentity } from './sign-in/proxy-sign-in.ts'
import { openRehearsals } from './uploads/open-rehearsals.ts'
import { openUploads } from './uploads/open-uploads.ts'
import { startTidying } from './uploads/start-tidying.ts'
import type { Answer, Console, OpenVisit, Visit } from './visit.ts'

export interface RunningConsole extends AsyncDisposable {
  /** The address under which people open it. */
  url: string
  port: number
}

const requestMs = 60_000
/** A list may take longer, as long as something arrives. */
const fileRequestMs = 3_600_000
/** Forms have a few short fields. */
const maxFormBytes = 16_384
const maxLongFormBytes = 262_144
/**
 * Looking up sessions must not take the worker's connections to the database: strangers can ask as often as they like.
 */
const lookUpsAtOnce = 2
/** How long stopping waits for pages that are being made. */
const drainMs = 5_000

/** @param guard shared with the other port of this process */
export async function serveConsole(
  parts: App,
  settings: ConsoleSettings,
  guard = openConnectionGuard(),
): Promise<RunningConsole> {
  const assets = await readAssets()
  let served: Served | null = null
  const server = fastify({
    logger: false,
    trustProxy: [...settings.trustedProxies],
    serverFactory: (listener) => guard.serve(listener, { requestMs: fileRequestMs }),
    bodyLimit: maxFormBytes,
    // A proxy may pass on the base path, or leave it out.
    rewriteUrl: ({ url = '/' }) => withoutBase(url, served?.console.address.base ?? ''),
  })
  acceptForms(server)
  server.addHook('onRequest', async (request, reply) => {
    if (served) return admit(served, request, reply)
  })
  server.setErrorHandler((error, request, reply) => served && answerError(served, error, request, reply))
  server.setNotFoundHandler((request, reply) => served && answerMissing(served, request, reply))
  for (const asset of Object.values(assets))
    server.get(asset.path, async (_, reply) =>
      reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable').send(asset.content),
    )
  for (const route of consoleRoutes)
    server.register(async (scope) => {
      // Its page reads the form as it arrives, once it is known who sends it.
      if (takesFile(route)) scope.addContentTypeParser('multipart/form-data', (_, body, done) => done(null, body))
      scope.route({
        method: route.method,
        url: route.path,
        ...('isLong' in route && route.isLong && { bodyLimit: maxLongFormBytes }),
        handler: async (request, reply) => served && answerRoute(served, route, request, reply),
      })
    })
  const listening = await server.listen({ host: settings.host, port: settings.port })
  const port = Number(new URL(listening).port)
  const address = ownAddress(settings.url, port)
  const uploads = openUploads(parts.settings.dataDir)
  const console: Console = {
    parts,
    settings,
    address,
    times: openTimes(settings.timeZone),
    limits: openSignInLimits(),
    uploads,
    rehearsals: openRehearsals(parts, uploads),
    lookUp: limitConcurrency(lookUpsAtOnce),
  }
  const respond = openResponses(console, assets)
  served = { console, respond, slow: openSlowRequests(parts.clock, requestMs), guard }
  const tidying = startTidying(parts, console)
  parts.log.event('console.listening', { port })
  return {
    url: address.link(''),
    port,
    async [Symbol.asyncDispose]() {
      await closeWithin(drainMs, parts.clock, { server: server.server, close: () => server.close() })
      await tidying.stop()
      await console.rehearsals[Symbol.asyncDispose]()
    },
  }
}

const takesFile = (route: Route): boolean => 'takesFile' in route && route.takesFile === true

interface Served {
  console: Console
  respond: ReturnType<typeof openResponses>
  slow: SlowRequests
  guard: ConnectionGuard
}

function acceptForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => {
    // PostgreSQL stores no NUL, and no person types one.
    const fields = new URLSearchParams()
    for (const [name, value] of new URLSearchParams(String(body))) fields.append(name, value.replaceAll('\0', ''))
    done(null, fields)
  })
}

export function withoutBase(url: string, base: string): string {
  if (base === '' || !url.startsWith(base)) return url
  const rest = url.slice(base.length)
  if (rest === '') return '/'
  if (rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

/** Refuses what does not come from a browser that means this console, before anything else is looked at. */
async function admit(
  { console, slow }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  slow.watch(request.raw)
  reply.headers(securityHeaders)
  if (console.address.isSecure) reply.header('strict-transport-security', 'max-age=31536000')
  // PostgreSQL stores no NUL. A header that came twice was written by two: by the proxy, and by somebody who pretends
  // to be another person.
  if (request.url.includes('%00') || repeatsIdentity(request.raw.rawHeaders))
    return reply.code(400).type('text/plain').send('This request cannot be read.\n')
  if (!console.address.isOwnHost(request.headers.host))
    return reply.code(421).type('text/plain').send('This console has a different address.\n')
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  if (!isReading && !isFromOwnPage(request.headers, console.address))
    return reply.code(403).type('text/plain').send('This request does not come from a page of the console.\n')
  return undefined
}

async function answerRoute(served: Served, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const { console, respond } = served
  const visit = await visitOf(console, request, { extends: !('byItself' in route && route.byItself) })
  if (visit === 'stranger') return respond(request, reply, { kind: 'forbidden' }, null)
  if (route.role === 'anyone') return respond(request, reply, await route.answer(console, visit), visit.visitor)
  const { visitor } = visit
  if (!visitor) return respond(request, reply, signedOut(request, route), null)
  keepConnection(served, request, reply)
  const known: Visit = { ...visit, visitor }
  if (!mayOpen(visitor.role, route.role)) return respond(request, reply, { kind: 'forbidden' }, visitor)
  if (takesFile(route)) served.slow.allow(request.raw)
  const answer = await route.answer(console, known)
  const shown = answer.kind === 'page' ? { ...answer, message: await decisionMessage(console, known) } : answer
  return respond(request, reply, shown, visitor)
}

/** Strangers cannot take the connection of somebody who is signed in. */
function keepConnection({ guard }: Served, { raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
  guard.keep(socket)
  reply.raw.once('close', () => guard.done(socket))
}

/** Leads to the page for signing in, and from there back to where the person wanted to go. */
function signedOut(request: FastifyRequest, route: Route): Answer {
  const isPage = route.method === 'GET' && !('byItself' in route && route.byItself)
  const to = isPage && request.url !== '/' ? `?to=${encodeURIComponent(request.url)}` : ''
  if (isPage || route.method === 'POST') return { kind: 'redirect', to: `/sign-in${to}` }
  return { kind: 'page', status: 401, title: 'You have been signed out', body: 'Sign in again.' }
}

async function visitOf(
  console: Console,
  request: FastifyRequest,
  options: { extends: boolean },
): Promise<OpenVisit | 'stranger'> {
  const { ledger, clock } = console.parts
  const proxied = proxiedPerson(console.settings, {
    headers: request.headers,
    peer: request.raw.socket.remoteAddress ?? '',
  })
  if (proxied === 'stranger') return 'stranger'
  const token = proxied ? null : cookieOf(console).read(request.headers.cookie)
  const session = token === null ? null : sessionHash(console.settings, token)
  const visitor =
    proxied ??
    (session &&
      (await console.lookUp(() =>
        ledger.consoleSessions.find(session, clock.now(), {
          ...options,
          local: console.settings.auth.local,
          provided: console.settings.auth.oidc !== undefined,
        }),
      )))
  const [path = '/', search = ''] = request.url.split('?')
  return {
    visitor,
    session,
    path,
    params: (request.params ?? {}) as Record<string, string>,
    query: new URLSearchParams(search),
    form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
    incoming: incomingForm(request),
    from: request.ip,
    cookies: request.headers.cookie,
  }
}

function incomingForm({ body, headers }: FastifyRequest): Visit['incoming'] {
  if (!(body instanceof Readable)) return null
  const length = headers['content-length']
  return { contentType: headers['content-type'] ?? '', length: length === undefined ? null : Number(length), body }
}

async function answerMissing({ console, respond }: Served, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(console, request, { extends: false })
  return respond(request, reply, { kind: 'missing' }, visit === 'stranger' ? null : visit.visitor)
}

/** The sentence says nothing about the fault, which may name people; the log has its class. */
function answerError({ console, respond }: Served, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status < 500) return reply.code(status).type('text/plain').send('This request cannot be read.\n')
  console.parts.log.event('fault', { where: 'console', error: faultName(error) })
  const body = 'This page is unavailable right now. Try again in a moment; the worker’s log says what is wrong.'
  return respond(request, reply, { kind: 'page', status: 503, title: 'Something went wrong', body }, null)
}
