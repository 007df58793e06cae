// Handles GET and HEAD requests for one statement by its id (xAPI 1.0.3, Communication 2.1.3 and 2.1.4). Queries are
// not supported. Reads the statement from the store.

import { isUuid } from '#src/platform/uuid.ts'
import { attachmentsOf } from './attachment.ts'
import { isObject, type JsonObject, parseJson } from './json.ts'
import { parametersOf } from './query-parameters.ts'
import type { AuthenticatedRequest, XapiAnswer } from './request.ts'
import { inFormat, statementFormats } from './statement-format.ts'
import { StatementRefusal } from './statement-refusal.ts'
import type { StatementStore } from './store-statements.ts'
import { voidedStatementId } from './voiding.ts'

const idParameters = ['statementId', 'voidedStatementId'] as const

/**
 * Returns the response with one statement.
 * @throws StatementRefusal 400 when a parameter is invalid or the request does not ask for exactly one statement, 404
 * when there is no statement with the id, or when it is voided but was requested as not voided, or vice versa
 */
export async function showStatement(
  { query, headers }: AuthenticatedRequest,
  store: StatementStore,
): Promise<XapiAnswer> {
  const parameters = parametersOf(query, [...idParameters, 'format', 'attachments'])
  const [idParameter, ...more] = idParameters.filter((name) => parameters.has(name))
  const id = idParameter && parameters.get(idParameter)
  if (id === undefined || more.length > 0 || !isUuid(id))
    throw new StatementRefusal(
      400,
      'GET needs either statementId or voidedStatementId with the UUID of a statement; this endpoint does not support queries.',
    )
  const format = parameterOf(parameters, 'format', statementFormats)
  const attachments = parameterOf(parameters, 'attachments', ['false', 'true'])
  const found = await store.find(id.toLowerCase())
  const statement = found && parseJson(Buffer.from(found.raw))
  if (!found || !isObject(statement)) throw new StatementRefusal(404, 'There is no statement with this id.')
  // A voiding statement cannot be voided itself, even if another statement refers to it.
  const isVoided = found.voided && voidedStatementId(statement) === null
  if (isVoided !== (idParameter === 'voidedStatementId'))
    throw new StatementRefusal(404, `The statement with this id is ${isVoided ? '' : 'not '}voided.`)
  const body =
    format === 'exact' ? found.raw : JSON.stringify(inFormat(statement, format, headers['accept-language'] ?? ''))
  const content = attachments === 'true' ? asMultipart(statement, body) : { body, type: 'application/json' }
  return { status: 200, headers: { 'Content-Type': content.type, ...lastModified(statement) }, body: content.body }
}

/**
 * Reads a parameter.
 * @param values the allowed values; the first is the default
 * @throws StatementRefusal 400 for any other value
 */
function parameterOf<Value extends string>(
  parameters: ReadonlyMap<string, string>,
  name: string,
  values: readonly [Value, ...Value[]],
): Value {
  const given = parameters.get(name) ?? values[0]
  const found = values.find((value) => value === given)
  if (found === undefined) throw new StatementRefusal(400, `The parameter ${name} must be ${values.join(' or ')}.`)
  return found
}

/** The JSON has no line breaks, so the boundary cannot occur in it. */
function asMultipart(statement: JsonObject, body: string): { body: string; type: string } {
  if (attachmentsOf(statement).some(({ fileUrl }) => fileUrl === undefined))
    throw new StatementRefusal(
      400,
      'The statement has an attachment without fileUrl, and the contents of attachments are not stored.',
    )
  const lines = ['--statement', 'Content-Type: application/json', '', body, '--statement--', '']
  return { body: lines.join('\r\n'), type: 'multipart/mixed; boundary=statement' }
}

/** The time at which the statement was stored, as 2.0 requires. */
function lastModified({ stored }: JsonObject): Record<string, string> {
  return typeof stored === 'string' ? { 'Last-Modified': new Date(stored).toUTCString() } : {}
}
