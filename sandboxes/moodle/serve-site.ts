// Serves the site over HTTP: routes each path to its endpoint, with the maintenance page before all of them.

import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { type HttpResponse, maintenancePage, notFoundPage } from './http-response.ts'
import type { MoodleJournal } from './journal.ts'
import type { LineItems } from './lti/line-items.ts'
import type { TokenEndpoint } from './lti/token-endpoint.ts'
import type { RestEndpoint } from './rest-endpoint.ts'
import type { Site } from './site.ts'

export interface SiteEndpoints {
  site: Site
  rest: RestEndpoint
  tokenEndpoint: TokenEndpoint
  lineItems: LineItems
  journal: MoodleJournal
  /** Called for each request. */
  inMaintenance(): boolean
}

const tokenPath = '/mod/lti/token.php'
const servicesPath = '/mod/lti/services.php'
const formType = /^application\/x-www-form-urlencoded\b/i

/**
 * Returns a server that is not listening yet. Bodies that are not forms are read as text, which the REST endpoint
 * ignores.
 */
export function serveSite({
  site,
  rest,
  tokenEndpoint,
  lineItems,
  journal,
  inMaintenance,
}: SiteEndpoints): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false, bodyLimit: 8 * 1024 * 1024 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string) => body)

  const replyWithPage = (reply: FastifyReply, answer: HttpResponse) => {
    journal.record({ kind: 'answered', endpoint: 'other', what: 'page', status: answer.status, errorcode: null })
    return send(reply, answer)
  }
  app.addHook('onRequest', async (_request, reply) => {
    if (inMaintenance()) return replyWithPage(reply, maintenancePage(site.name))
  })
  app.setNotFoundHandler((_request, reply) => replyWithPage(reply, notFoundPage()))

  // PHP merges the query and the form; values of the form override those of the query.
  app.route({
    method: ['GET', 'POST'],
    url: '/webservice/rest/server.php',
    handler({ url, headers, body }, reply) {
      const isForm = formType.test(headers['content-type'] ?? '')
      const pairs = [...queryOf(url), ...(isForm ? new URLSearchParams(textOf(body)) : [])]
      return send(reply, rest.answer(pairs))
    },
  })
  app.post(tokenPath, async ({ headers, body }, reply) => {
    const form = new URLSearchParams(textOf(body))
    const answer = await tokenEndpoint.issue(form, headers['content-type'] ?? '', site.url + tokenPath)
    journal.record({ kind: 'answered', endpoint: 'lti', what: 'POST token', status: answer.status, errorcode: null })
    return send(reply, answer)
  })
  app.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url: `${servicesPath}/*`,
    handler({ method, url, headers, body }, reply) {
      const call = {
        method,
        path: new URL(url, site.url).pathname.slice(servicesPath.length),
        query: queryOf(url),
        contentType: headers['content-type'] ?? '',
        accept: headers.accept ?? '',
        authorization: headers.authorization,
        body: textOf(body),
      }
      return send(reply, lineItems.answer(call))
    },
  })
  return app
}

function queryOf(url: string): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : ''
}

// Sends bytes, because fastify would add a charset to the content type of a text, and Moodle does not.
function send(reply: FastifyReply, { status, contentType, body }: HttpResponse): FastifyReply {
  return reply.status(status).header('content-type', contentType).send(Buffer.from(body))
}
