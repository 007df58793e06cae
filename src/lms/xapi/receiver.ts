// Handles xAPI requests: serves the resources /statements and /about. Reads and writes statements through the store.

import type { Clock } from '#src/platform/time/clock.ts'
import { mayBeInForm, requestInForm } from './alternate-request.ts'
import { answerVersion, type Edition, editionOf, type Sender, supportedEditions, versionHeader } from './edition.ts'
import { parametersOf } from './query-parameters.ts'
import type { AuthenticatedRequest, XapiAnswer, XapiRequest } from './request.ts'
import { showStatement } from './show-statement.ts'
import { StatementRefusal } from './statement-refusal.ts'
import { type StatementStore, storeStatements } from './store-statements.ts'
import { StatementFault } from './value-checks.ts'

export interface XapiParts {
  /** Checks the Authorization header as received. */
  authenticate: (authorization: string | undefined) => boolean
  /** The sender that uses this endpoint; its edition is updated with each accepted request. */
  sender: Sender
  store: StatementStore
  /** Creates a UUID for a statement without an id. */
  newId: () => string
  clock: Clock
}

/** The result of checking the headers. `open`: the credentials are in the body, or none are needed. */
export type XapiHeadersCheck = { kind: 'proven' } | { kind: 'open' } | { kind: 'refused'; answer: XapiAnswer }

/**
 * Checks the headers of a request before its body is read. A request that is refused here would also be refused after
 * its body was read.
 */
export function checkXapiHeaders(
  sent: Omit<XapiRequest, 'body'>,
  parts: Pick<XapiParts, 'authenticate' | 'sender' | 'clock'>,
): XapiHeadersCheck {
  if (mayBeInForm(sent)) return { kind: 'open' }
  try {
    if (sent.path === '/about') answerAbout(sent)
    else admit(sent, parts)
    return { kind: sent.path === '/about' ? 'open' : 'proven' }
  } catch (error) {
    const answer = refusalOrThrow(error)
    return { kind: 'refused', answer: withCommonHeaders(sent, answer, parts) }
  }
}

/**
 * Opens a receiver for xAPI 1.0.3 (Communication 2.1 and 2.8 to 4) and 2.0. Every refusal is a response with an error
 * message. The receiver throws only when the store fails; in that case, nothing from the request was stored.
 */
export function openXapi(parts: XapiParts): (request: XapiRequest) => Promise<XapiAnswer> {
  return async (sent) => {
    const request = requestInForm(sent)
    return withCommonHeaders(request, await answerOrRefuse(request, parts), parts)
  }
}

/** Adds the headers that every response has. */
function withCommonHeaders(
  { path, method, headers: requestHeaders }: Omit<XapiRequest, 'body'>,
  answer: XapiAnswer,
  { sender, clock }: Pick<XapiParts, 'sender' | 'clock'>,
): XapiAnswer {
  const headers: Record<string, string> = {
    ...answer.headers,
    'X-Experience-API-Version': answerVersion(requestHeaders[versionHeader], sender),
  }
  // Communication 2.1.3 requires this header on every response of this resource. Accepted statements are stored before
  // the response is sent.
  if (path === '/statements') headers['X-Experience-API-Consistent-Through'] = clock.now().toISOString()
  return method === 'HEAD' ? { ...answer, headers, body: '' } : { ...answer, headers }
}

async function answerOrRefuse(request: XapiRequest, parts: XapiParts): Promise<XapiAnswer> {
  try {
    if (request.path === '/about') return answerAbout(request)
    const edition = admit(request, parts)
    if (request.path === '/statements') return await answerStatements({ ...request, edition }, parts)
    throw new StatementRefusal(
      404,
      'This endpoint receives statements and is not a learning record store. It serves only /statements and /about.',
    )
  } catch (error) {
    return refusalOrThrow(error)
  }
}

/**
 * Authenticates the sender, and records the edition of the request as the sender's.
 * @throws StatementRefusal when the version or the method is not supported, or the credentials are wrong
 */
function admit(
  request: Omit<XapiRequest, 'body'>,
  { authenticate, sender }: Pick<XapiParts, 'authenticate' | 'sender'>,
): Edition {
  const edition = editionOf(request.headers[versionHeader])
  if (edition === null)
    throw new StatementRefusal(
      400,
      'The header X-Experience-API-Version must be 1.0, 1.0.x, 2.0 or 2.0.x. Set it in the sending system.',
    )
  refuseMethod(request)
  if (!authenticate(request.headers.authorization))
    throw new StatementRefusal(
      401,
      'The user name or the password is wrong or missing. Correct them in the sending system.',
      {
        'WWW-Authenticate': 'Basic realm="xAPI"',
      },
    )
  sender.edition = edition
  return edition
}

/**
 * Converts a refusal to a response.
 * @throws any other error again
 */
function refusalOrThrow(error: unknown): XapiAnswer {
  if (error instanceof StatementRefusal) return refusalAnswer(error.status, error.message, error.headers)
  if (error instanceof StatementFault)
    return refusalAnswer(
      400,
      `${error.message}. Nothing from this request was stored; correct the statement and send it again.`,
    )
  throw error
}

function answerAbout({ method, query }: Omit<XapiRequest, 'body'>): XapiAnswer {
  parametersOf(query, [])
  if (method !== 'GET' && method !== 'HEAD') throw wrongMethod(method, 'GET, HEAD')
  return jsonAnswer(200, { version: Object.values(supportedEditions) })
}

async function answerStatements(request: AuthenticatedRequest, parts: XapiParts): Promise<XapiAnswer> {
  switch (request.method) {
    case 'POST':
      return jsonAnswer(200, await storeStatements(request, parts))
    case 'PUT':
      await storeStatements(request, parts)
      return { status: 204, headers: {}, body: '' }
    default:
      return await showStatement(request, parts.store)
  }
}

/**
 * The methods that each resource allows. Activities and agents are not served: a request with an allowed method gets
 * 404, because they exist only in a record store.
 */
const methods: Readonly<Record<string, string>> = {
  '/statements': 'GET, HEAD, POST, PUT',
  '/activities': 'GET, HEAD',
  '/agents': 'GET, HEAD',
}

function refuseMethod({ path, method }: Omit<XapiRequest, 'body'>): void {
  const allowed = Object.hasOwn(methods, path) ? methods[path] : undefined
  if (allowed && !allowed.split(', ').includes(method)) throw wrongMethod(method, allowed)
}

function wrongMethod(method: string, allowed: string): StatementRefusal {
  const name = /^[A-Z]{1,10}$/.test(method) ? method : 'This method'
  return new StatementRefusal(405, `${name} is not allowed for this resource. Allowed methods: ${allowed}.`, {
    Allow: allowed,
  })
}

function refusalAnswer(status: number, sentence: string, headers: Record<string, string> = {}): XapiAnswer {
  const answer = jsonAnswer(status, { error: sentence })
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function jsonAnswer(status: number, value: unknown): XapiAnswer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) }
}
