// The site behind a web server: which path goes to which door, and the maintenance page before all of them.

import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { MoodleJournal } from './journal.ts'
import type { LineItems } from './lti/line-items.ts'
import type { TokenDesk } from './lti/token-desk.ts'
import type { RestDoor } from './rest-door.ts'
import type { Site } from './site.ts'
import { maintenancePage, notFoundPage, type WrittenAnswer } from './written-answer.ts'

export interface Doors {
  site: Site
  rest: RestDoor
  desk: TokenDesk
  lineItems: LineItems
  journal: MoodleJournal
  /** Asked for each call. */
  inMaintenance(): boolean
}

const tokenPath = '/mod/lti/token.php'
const servicesPath = '/mod/lti/services.php'
const formType = /^application\/x-www-form-urlencoded\b/i

/** A server that does not listen yet. Bodies of other types than a form are read as text and mean nothing to the REST door. */
export function serveSite({ site, rest, desk, lineItems, journal, inMaintenance }: Doors): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false, bodyLimit: 8 * 1024 * 1024 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string) => body)

  const away = (reply: FastifyReply, answer: WrittenAnswer) => {
    journal.did({ kind: 'answered', door: 'other', what: 'page', status: answer.status, errorcode: null })
    return send(reply, answer)
  }
  app.addHook('onRequest', async (_request, reply) => {
    if (inMaintenance()) return away(reply, maintenancePage(site.name))
  })
  app.setNotFoundHandler((_request, reply) => away(reply, notFoundPage()))

  // PHP reads the query and the form as one, the form's last.
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
    const answer = await desk.give(form, headers['content-type'] ?? '', site.url + tokenPath)
    journal.did({ kind: 'answered', door: 'lti', what: 'POST token', status: answer.status, errorcode: null })
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

// Bytes, because fastify would name a charset beside the type of a text, and Moodle does not.
function send(reply: FastifyReply, { status, contentType, body }: WrittenAnswer): FastifyReply {
  return reply.status(status).header('content-type', contentType).send(Buffer.from(body))
}
