// Answers xAPI requests: accepts statements, and lists under /about the versions of xAPI that it accepts. Refuses
// everything else, and says why. Writes to the store.

import { parseEventBody } from '#src/extensions/lms/webhooks/event-body.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { isUuid } from '#src/platform/uuid.ts'
import {
  answerVersion,
  checkStatement,
  type Statement,
  statementDigest,
  takenVersion,
  takenVersions,
  versionHeader,
  voidedId,
} from './statement.ts'

export interface XapiRequest {
  method: string
  /** The part of the path after `/xapi/NAME`, such as `/statements`. */
  path: string
  query: URLSearchParams
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

export interface XapiAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface StatementToStore {
  /** A UUID in lower case. */
  id: string
  /** SHA-256 in hex. Statements with one id and the same digest are one. */
  digest: string
  /** The JSON of the statement. */
  body: string
  /** The id, in lower case, of the statement that this one voids; null when it voids none. */
  voids: string | null
}

export interface XapiParts {
  /** Checks the Authorization header as received. */
  authenticate: (authorization: string | undefined) => boolean
  /**
   * Stores all statements with new ids.
   * @returns the ids that are stored with other digests; if there are any, nothing was stored
   */
  store: (statements: readonly StatementToStore[]) => Promise<readonly string[]>
  /** Creates a UUID for a statement without an id. */
  newId: () => string
  clock: Clock
}

class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly headers: Record<string, string>
  constructor(status: number, sentence: string, headers: Record<string, string> = {}) {
    super(sentence)
    this.status = status
    this.headers = headers
  }
}

/** Checks the headers, before the body is read. @returns the answer if the request is refused; otherwise null */
export function refuseByHeaders(sent: Omit<XapiRequest, 'body'>, parts: XapiParts): XapiAnswer | null {
  try {
    admit(sent, parts)
    return null
  } catch (error) {
    return answerTo(sent, refusalOrThrow(error), parts)
  }
}

/** Answers a request whose headers were not refused. @throws only when the store fails; then nothing was stored */
export async function answerXapi(request: XapiRequest, parts: XapiParts): Promise<XapiAnswer> {
  try {
    if (request.path === '/about') return answerTo(request, json(200, { version: takenVersions }), parts)
    const ids = await take(request, parts)
    const answer = request.method === 'PUT' ? { status: 204, headers: {}, body: '' } : json(200, ids)
    return answerTo(request, answer, parts)
  } catch (error) {
    return answerTo(request, refusalOrThrow(error), parts)
  }
}

function admit({ path, method, headers }: Omit<XapiRequest, 'body'>, { authenticate }: XapiParts): void {
  if (path === '/about') {
    refuseMethod(method, ['GET', 'HEAD'], '')
    return
  }
  if (takenVersion(headers[versionHeader]) === null)
    throw new Refusal(
      400,
      'The header X-Experience-API-Version must be 1.0, 1.0.x, 2.0 or 2.0.x. Set it in the sending system.',
    )
  const reason = 'This endpoint receives statements; it is not a learning record store, and returns none.'
  if (path === '/statements') refuseMethod(method, ['POST', 'PUT'], ` ${reason}`)
  if (!authenticate(headers.authorization))
    throw new Refusal(401, 'The user name or the password is wrong or missing. Correct them in the sending system.', {
      'WWW-Authenticate': 'Basic realm="xAPI"',
    })
  if (path !== '/statements') throw new Refusal(404, `${reason} It serves only /statements and /about.`)
}

function refuseMethod(method: string, allowed: string[], reason: string): void {
  if (allowed.includes(method)) return
  const sentence = `Only ${allowed.join(' and ')} are allowed here.${reason}`
  throw new Refusal(405, sentence, { Allow: allowed.join(', ') })
}

/** Stores all statements of the request, or none. @returns their ids, in order */
async function take(request: XapiRequest, { store, newId, clock }: XapiParts): Promise<string[]> {
  const givenId = idInUrl(request)
  const sent = statementsIn(request)
  const isList = Array.isArray(sent)
  if (isList && givenId !== null) throw new Refusal(400, 'PUT takes one statement. Use POST to send several.')
  const ids: string[] = []
  const statements: StatementToStore[] = []
  for (const [index, entry] of (isList ? sent : [sent]).entries()) {
    const path = isList ? `statements[${index}]` : ''
    const checked = checkStatement(entry, path)
    if (!checked.ok) throw refusedStatement(checked.fault)
    const id = checked.value.id ?? givenId ?? newId()
    if (givenId !== null && id.toLowerCase() !== givenId.toLowerCase())
      throw refusedStatement('id differs from the parameter statementId')
    if (statements.some((other) => other.id === id.toLowerCase()))
      throw refusedStatement(`${path}.id is also the id of another statement in this request`)
    ids.push(id)
    statements.push(toStore(checked.value, id, clock))
  }
  const conflicts = statements.length === 0 ? [] : await store(statements)
  const places = statements.flatMap(({ id }, index) => (conflicts.includes(id) ? [`statements[${index}]`] : []))
  if (places.length > 0)
    throw new Refusal(
      409,
      `A different statement is already stored with the id of ${places.join(', ')}. Nothing from this request was ` +
        'stored; give a changed statement a new id.',
    )
  return ids
}

const refusedStatement = (fault: string) =>
  new Refusal(400, `${fault}. Nothing from this request was stored; correct the statement and send it again.`)

/** A statement without a time gets the time of its arrival. What only a record store would return is left out. */
function toStore(statement: Statement, id: string, clock: Clock): StatementToStore {
  const { stored, authority, ...content } = statement
  const body = JSON.stringify({ ...content, id, timestamp: statement.timestamp ?? clock.now().toISOString() })
  return { id: id.toLowerCase(), digest: statementDigest(statement), body, voids: voidedId(statement) }
}

function idInUrl({ method, query }: XapiRequest): string | null {
  const [id] = query.getAll('statementId')
  if (method === 'POST' && query.size === 0) return null
  if (method === 'POST')
    throw new Refusal(400, 'POST takes no parameters. A request in a form (?method=) is not supported.')
  if (id === undefined || query.size > 1 || !isUuid(id))
    throw new Refusal(400, 'PUT needs the parameter statementId with the UUID of the statement, and no other.')
  return id
}

function statementsIn({ headers, body }: XapiRequest): unknown {
  if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json')
    throw new Refusal(
      400,
      'The Content-Type must be application/json. Attachments are not taken; send the statements without them.',
    )
  const parsed = parseEventBody(body)
  if (!parsed.ok) throw new Refusal(400, parsed.why)
  return parsed.value
}

/** @throws the error itself unless it is a Refusal */
function refusalOrThrow(error: unknown): XapiAnswer {
  if (!(error instanceof Refusal)) throw error
  const { headers, ...answer } = json(error.status, { error: error.message })
  return { ...answer, headers: { ...headers, ...error.headers } }
}

/** Adds the headers that every answer has, and removes the body of an answer to HEAD. */
function answerTo(
  { method, path, headers }: Omit<XapiRequest, 'body'>,
  answer: XapiAnswer,
  { clock }: XapiParts,
): XapiAnswer {
  const added: Record<string, string> = { 'X-Experience-API-Version': answerVersion(headers[versionHeader]) }
  if (path === '/statements') added['X-Experience-API-Consistent-Through'] = clock.now().toISOString()
  return { ...answer, headers: { ...answer.headers, ...added }, body: method === 'HEAD' ? '' : answer.body }
}

function json(status: number, value: unknown): XapiAnswer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) }
}
