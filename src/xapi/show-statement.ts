// GET and HEAD of one statement by its id (xAPI 1.0.3, Communication 2.1.3 and 2.1.4). Queries are the business of a record store.

import { attachmentsOf } from './attachment.ts'
import { isUuid } from './formats.ts'
import { isObject, type JsonObject, parseJson } from './json.ts'
import { parametersOf } from './parameters.ts'
import type { Admitted, XapiAnswer } from './receiver.ts'
import { Refusal } from './refusal.ts'
import { formats, inFormat } from './statement-format.ts'
import type { StatementStore } from './take-statements.ts'
import { voidedBy } from './voiding.ts'

const ids = ['statementId', 'voidedStatementId'] as const

/** @throws Refusal 400 when the request asks for more than one statement, 404 when there is none of the kind it asks for. */
export async function showStatement({ query, headers }: Admitted, store: StatementStore): Promise<XapiAnswer> {
  const parameters = parametersOf(query, [...ids, 'format', 'attachments'])
  const [asked, ...more] = ids.filter((name) => parameters.has(name))
  const id = asked && parameters.get(asked)
  if (id === undefined || more.length > 0 || !isUuid(id))
    throw new Refusal(
      400,
      'GET needs either statementId or voidedStatementId with the UUID of a statement; queries are not answered here.',
    )
  const format = oneOf(parameters, 'format', formats)
  const attachments = oneOf(parameters, 'attachments', ['false', 'true'])
  const found = await store.find(id.toLowerCase())
  const statement = found && parseJson(Buffer.from(found.raw))
  if (!found || !isObject(statement)) throw new Refusal(404, 'There is no statement with this id.')
  // A statement that voids another is never voided itself, whatever refers to it.
  const isVoided = found.voided && voidedBy(statement) === null
  if (isVoided !== (asked === 'voidedStatementId'))
    throw new Refusal(404, `The statement with this id is ${isVoided ? '' : 'not '}voided.`)
  const body =
    format === 'exact' ? found.raw : JSON.stringify(inFormat(statement, format, headers['accept-language'] ?? ''))
  const shown = attachments === 'true' ? asMultipart(statement, body) : { body, type: 'application/json' }
  return { status: 200, headers: { 'Content-Type': shown.type, ...lastModified(statement) }, body: shown.body }
}

/** The first is what holds without the parameter. */
function oneOf<Value extends string>(
  parameters: ReadonlyMap<string, string>,
  name: string,
  values: readonly [Value, ...Value[]],
): Value {
  const given = parameters.get(name) ?? values[0]
  const found = values.find((each) => each === given)
  if (found === undefined) throw new Refusal(400, `The parameter ${name} can be ${values.join(' or ')}.`)
  return found
}

/** JSON has no line break, so that no boundary can stand inside of it. */
function asMultipart(statement: JsonObject, body: string): { body: string; type: string } {
  if (attachmentsOf(statement).some(({ fileUrl }) => fileUrl === undefined))
    throw new Refusal(
      400,
      'The statement has an attachment without fileUrl, and the content of attachments is not kept.',
    )
  const lines = ['--statement', 'Content-Type: application/json', '', body, '--statement--', '']
  return { body: lines.join('\r\n'), type: 'multipart/mixed; boundary=statement' }
}

/** The time at which it was stored, as 2.0 asks for. */
function lastModified({ stored }: JsonObject): Record<string, string> {
  return typeof stored === 'string' ? { 'Last-Modified': new Date(stored).toUTCString() } : {}
}
