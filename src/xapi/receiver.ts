// Answers the requests of systems that send xAPI statements: the resources /statements and /about, and no others.

import type { Clock } from '#src/time/clock.ts'
import { meantBy } from './alternate-request.ts'
import { StatementFault } from './check.ts'
import { answered, type Edition, editionOf, spoken, versionHeader } from './edition.ts'
import { parametersOf } from './parameters.ts'
import { Refusal } from './refusal.ts'
import { showStatement } from './show-statement.ts'
import { type StatementStore, takeStatements } from './take-statements.ts'

export interface XapiRequest {
  method: string
  /** What follows `/xapi/<source>`: `/statements`. */
  path: string
  query: URLSearchParams
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

export interface XapiAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface XapiParts {
  /** Whether the header Authorization, as it came, lets the sender in. */
  authenticate: (authorization: string | undefined) => boolean
  store: StatementStore
  /** A new UUID, for a statement that came without. */
  newId: () => string
  clock: Clock
}

/** What of a request matters once the sender is let in. */
export interface Admitted extends XapiRequest {
  edition: Edition
}

/**
 * A receiver after xAPI 1.0.3 (Communication 2.1 and 2.8 to 4) and 2.0. Every refusal is an answer with a sentence; only
 * a failure of the store is thrown, and then nothing of the request was stored.
 */
export function openXapi(parts: XapiParts): (request: XapiRequest) => Promise<XapiAnswer> {
  return async (sent) => {
    const request = meantBy(sent)
    const asked = request.headers[versionHeader]
    const answer = await answerOrRefuse(request, editionOf(asked ?? ''), parts)
    const headers: Record<string, string> = { ...answer.headers, 'X-Experience-API-Version': answered(asked) }
    // Communication 2.1.3 wants it on every answer of this resource; what was accepted is stored before it is answered.
    if (request.path === '/statements') headers['X-Experience-API-Consistent-Through'] = parts.clock.now().toISOString()
    return request.method === 'HEAD' ? { ...answer, headers, body: '' } : { ...answer, headers }
  }
}

async function answerOrRefuse(request: XapiRequest, edition: Edition | null, parts: XapiParts): Promise<XapiAnswer> {
  try {
    if (request.path === '/about') return about(request)
    if (edition === null)
      throw new Refusal(
        400,
        'The header X-Experience-API-Version must be 1.0, 1.0.x, 2.0 or 2.0.x. Set it in the sending system.',
      )
    refuseMethod(request)
    if (!parts.authenticate(request.headers.authorization))
      throw new Refusal(401, 'The user name or the password is wrong or missing. Correct them in the sending system.', {
        'WWW-Authenticate': 'Basic realm="xAPI"',
      })
    if (request.path === '/statements') return await answerStatements({ ...request, edition }, parts)
    throw new Refusal(
      404,
      'This address takes statements and is no learning record store. It has /statements and /about only.',
    )
  } catch (error) {
    if (error instanceof Refusal) return refused(error.status, error.message, error.headers)
    if (error instanceof StatementFault)
      return refused(
        400,
        `${error.message}. Nothing of this request was stored; correct the statement and send it again.`,
      )
    throw error
  }
}

function about({ method, query }: XapiRequest): XapiAnswer {
  parametersOf(query, [])
  if (method !== 'GET' && method !== 'HEAD') throw wrongMethod(method, 'GET, HEAD')
  return jsonAnswer(200, { version: Object.values(spoken) })
}

async function answerStatements(request: Admitted, parts: XapiParts): Promise<XapiAnswer> {
  switch (request.method) {
    case 'POST':
      return jsonAnswer(200, await takeStatements(request, parts))
    case 'PUT':
      await takeStatements(request, parts)
      return { status: 204, headers: {}, body: '' }
    default:
      return await showStatement(request, parts.store)
  }
}

/** What may be asked of a resource; the two others, which only a record store has, are for reading alone. */
const methods: Readonly<Record<string, string>> = {
  '/statements': 'GET, HEAD, POST, PUT',
  '/activities': 'GET, HEAD',
  '/agents': 'GET, HEAD',
}

function refuseMethod({ path, method }: XapiRequest): void {
  const allowed = Object.hasOwn(methods, path) ? methods[path] : undefined
  if (allowed && !allowed.split(', ').includes(method)) throw wrongMethod(method, allowed)
}

function wrongMethod(method: string, allowed: string): Refusal {
  const name = /^[A-Z]{1,10}$/.test(method) ? method : 'This method'
  return new Refusal(405, `${name} is not possible here. Possible are ${allowed}.`, { Allow: allowed })
}

function refused(status: number, sentence: string, headers: Record<string, string> = {}): XapiAnswer {
  const answer = jsonAnswer(status, { error: sentence })
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function jsonAnswer(status: number, value: unknown): XapiAnswer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) }
}
