// POST and PUT of statements: checked as a whole, stored as a whole, refused as a whole (xAPI 1.0.3, Communication 2.1.1, 2.1.2).

import type { Clock } from '#src/time/clock.ts'
import { checkAttachments, readContent } from './content.ts'
import { unnamed } from './edition.ts'
import { isUuid } from './formats.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { parametersOf } from './parameters.ts'
import type { Admitted } from './receiver.ts'
import { Refusal } from './refusal.ts'
import { digestOf } from './same.ts'
import { shownStatement } from './shown.ts'
import { checkSignatures } from './signature.ts'
import { checkedStatement } from './statement.ts'
import { voidedBy } from './voiding.ts'

export interface KeptStatement {
  /** A UUID in lower case. */
  id: string
  /** Hexadecimal; equal digests mean the same statement. */
  digest: string
  /** JSON of the statement as it is shown from now on. */
  raw: string
  /** The id of the statement that this one voids, in lower case; null when it voids none. */
  voids: string | null
}

export interface FoundStatement {
  raw: string
  /** Whether another statement says that it voids this one. */
  voided: boolean
}

export interface StatementStore {
  /**
   * All or nothing: stores the statements whose ids are new; those that are there with the same digest stay as they are.
   * One that is there with another digest makes it a conflict, and nothing is stored.
   */
  keep(statements: readonly KeptStatement[]): Promise<{ kind: 'kept' } | { kind: 'conflict'; ids: string[] }>
  /** @param id a UUID in lower case */
  find(id: string): Promise<FoundStatement | null>
}

interface Taking {
  store: StatementStore
  newId: () => string
  clock: Clock
}

/**
 * The ids of the statements in the order in which they came.
 * @throws Refusal or StatementFault when anything of the request is not as it must be; then nothing was stored.
 */
export async function takeStatements(request: Admitted, { store, newId, clock }: Taking): Promise<string[]> {
  const put = request.method === 'PUT'
  const parameters = parametersOf(request.query, put ? ['statementId'] : [])
  const { value, parts } = readContent(request.headers['content-type'], request.body)
  const sent = put ? [withId(value, parameters.get('statementId'))] : [value].flat()
  const statements = sent.map((each, index) => {
    const path = Array.isArray(value) ? `statements[${index}]` : ''
    return checkedStatement(each, request.edition, path)
  })
  checkAttachments(statements, parts)
  checkSignatures(statements, parts)

  const received = {
    stored: clock.now().toISOString(),
    authority: authorityOf(request.headers.authorization),
    version: unnamed[request.edition],
  }
  const kept = statements.map((statement) => {
    const id = typeof statement.id === 'string' ? statement.id : newId()
    const raw = JSON.stringify(shownStatement(statement, { ...received, id }))
    return { id, kept: { id: id.toLowerCase(), digest: digestOf(statement), raw, voids: voidedBy(statement) } }
  })
  refuseEqualIds(kept.map(({ kept }) => kept.id))
  if (kept.length > 0) refuseConflict(await store.keep(kept.map((each) => each.kept)), kept)
  return kept.map(({ id }) => id)
}

function withId(value: Json, statementId: string | undefined): JsonObject {
  if (statementId === undefined || !isUuid(statementId))
    throw new Refusal(400, 'PUT needs the parameter statementId with the UUID of the statement.')
  if (!isObject(value)) throw new Refusal(400, 'PUT takes one statement. Send several with POST.')
  if (typeof value.id === 'string' && value.id.toLowerCase() !== statementId.toLowerCase())
    throw new Refusal(400, 'The id of the statement is not the one in the parameter statementId.')
  return { id: statementId, ...value }
}

function refuseEqualIds(ids: readonly string[]): void {
  const seen = new Set<string>()
  for (const [index, id] of ids.entries()) {
    if (seen.has(id))
      throw new Refusal(
        400,
        `statements[${index}].id is that of another statement of this request. Nothing of it was stored.`,
      )
    seen.add(id)
  }
}

function refuseConflict(
  outcome: Awaited<ReturnType<StatementStore['keep']>>,
  kept: readonly { kept: KeptStatement }[],
): void {
  if (outcome.kind === 'kept') return
  const places = kept.flatMap((each, index) => (outcome.ids.includes(each.kept.id) ? [`statements[${index}]`] : []))
  throw new Refusal(
    409,
    `Another statement is already stored under the id of ${places.join(', ')}. Nothing of this request was stored; ` +
      'give a changed statement an id of its own.',
  )
}

/** The account that brought the statement, as an Agent: with Basic authentication, its user name (Data 2.4.9). */
function authorityOf(authorization: string | undefined): JsonObject {
  const credentials = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const user = Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]
  return { objectType: 'Agent', account: { homePage: 'urn:credsync:xapi', name: user || 'sender' } }
}
