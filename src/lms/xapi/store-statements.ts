// Handles POST and PUT of statements: either all statements of a request are valid and stored, or the whole request is
// refused (xAPI 1.0.3, Communication 2.1.1, 2.1.2). Writes to the store.

import type { Clock } from '#src/platform/time/clock.ts'
import { isUuid } from '#src/platform/uuid.ts'
import { completeStatement } from './complete-statement.ts'
import { defaultVersion } from './edition.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { parametersOf } from './query-parameters.ts'
import type { AuthenticatedRequest } from './request.ts'
import { checkAttachments, readContent } from './request-content.ts'
import { checkSignatures } from './signature.ts'
import { checkedStatement } from './statement.ts'
import { statementDigest } from './statement-digest.ts'
import { StatementRefusal } from './statement-refusal.ts'
import { voidedStatementId } from './voiding.ts'

export interface KeptStatement {
  /** A UUID in lower case. */
  id: string
  /** SHA-256 in hex. Statements with the same digest are equal. */
  digest: string
  /** The JSON of the statement, as it is returned later. */
  raw: string
  /** The id, in lower case, of the statement that this statement voids; null when it voids none. */
  voids: string | null
}

export interface FoundStatement {
  raw: string
  /** True when another statement voids this one. */
  voided: boolean
}

export interface StatementStore {
  /**
   * Stores all statements that have new ids, or none. If a statement with the same id is already stored, an equal
   * digest is ignored; a different digest is a conflict, and nothing is stored.
   */
  keep(statements: readonly KeptStatement[]): Promise<{ kind: 'kept' } | { kind: 'conflict'; ids: string[] }>
  /** @param id a UUID in lower case */
  find(id: string): Promise<FoundStatement | null>
}

interface StoreContext {
  store: StatementStore
  newId: () => string
  clock: Clock
}

/**
 * Validates and stores the statements of the request.
 * @returns the ids of the statements, in the order of the request
 * @throws StatementRefusal or StatementFault when any part of the request is invalid; nothing was stored
 */
export async function storeStatements(
  request: AuthenticatedRequest,
  { store, newId, clock }: StoreContext,
): Promise<string[]> {
  const isPut = request.method === 'PUT'
  const parameters = parametersOf(request.query, isPut ? ['statementId'] : [])
  const { value, parts } = readContent(request.headers['content-type'], request.body)
  const sent = isPut ? [withId(value, parameters.get('statementId'))] : [value].flat()
  const statements = sent.map((entry, index) => {
    const path = Array.isArray(value) ? `statements[${index}]` : ''
    return checkedStatement(entry, request.edition, path)
  })
  checkAttachments(statements, parts)
  checkSignatures(statements, parts)

  const received = {
    stored: clock.now().toISOString(),
    authority: authorityOf(request.headers.authorization),
    version: defaultVersion[request.edition],
  }
  const kept = statements.map((statement) => {
    const id = typeof statement.id === 'string' ? statement.id : newId()
    const raw = JSON.stringify(completeStatement(statement, { ...received, id }))
    return {
      id,
      kept: { id: id.toLowerCase(), digest: statementDigest(statement), raw, voids: voidedStatementId(statement) },
    }
  })
  refuseEqualIds(kept.map(({ kept }) => kept.id))
  if (kept.length > 0) refuseConflict(await store.keep(kept.map((entry) => entry.kept)), kept)
  return kept.map(({ id }) => id)
}

function withId(value: Json, statementId: string | undefined): JsonObject {
  if (statementId === undefined || !isUuid(statementId))
    throw new StatementRefusal(400, 'PUT needs the parameter statementId with the UUID of the statement.')
  if (!isObject(value)) throw new StatementRefusal(400, 'PUT accepts only one statement. Use POST to send several.')
  if (typeof value.id === 'string' && value.id.toLowerCase() !== statementId.toLowerCase())
    throw new StatementRefusal(400, 'The id of the statement differs from the parameter statementId.')
  return { id: statementId, ...value }
}

function refuseEqualIds(ids: readonly string[]): void {
  const seen = new Set<string>()
  for (const [index, id] of ids.entries()) {
    if (seen.has(id))
      throw new StatementRefusal(
        400,
        `statements[${index}].id is also the id of another statement in this request. Nothing from this request was stored.`,
      )
    seen.add(id)
  }
}

function refuseConflict(
  outcome: Awaited<ReturnType<StatementStore['keep']>>,
  kept: readonly { kept: KeptStatement }[],
): void {
  if (outcome.kind === 'kept') return
  const paths = kept.flatMap((entry, index) => (outcome.ids.includes(entry.kept.id) ? [`statements[${index}]`] : []))
  throw new StatementRefusal(
    409,
    `A different statement is already stored with the id of ${paths.join(', ')}. Nothing from this request was stored; ` +
      'give a changed statement a new id.',
  )
}

/** Returns the account that sent the statement, as an Agent: its user name in Basic authentication (Data 2.4.9). */
function authorityOf(authorization: string | undefined): JsonObject {
  const credentials = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const user = Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]
  return { objectType: 'Agent', account: { homePage: 'urn:credsync:xapi', name: user || 'sender' } }
}
