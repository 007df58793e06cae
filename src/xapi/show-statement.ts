// GET and HEAD of one statement by its id (xAPI 1.0.3, Communication 2.1.3). Queries are the business of a record store.

import { isUuid } from './formats.ts'
import { isObject, parseJson } from './json.ts'
import { parametersOf } from './parameters.ts'
import type { Admitted, XapiAnswer } from './receiver.ts'
import { Refusal } from './refusal.ts'
import type { StatementStore } from './take-statements.ts'

/** @throws Refusal 400 when the request asks for more than one statement as it is stored, 404 when it is not there. */
export async function showStatement({ query }: Admitted, store: StatementStore): Promise<XapiAnswer> {
  const parameters = parametersOf(query, ['statementId', 'format', 'attachments'])
  const id = parameters.get('statementId')
  if (id === undefined || !isUuid(id))
    throw new Refusal(
      400,
      'GET needs the parameter statementId with the UUID of a statement; queries are not answered here.',
    )
  if ((parameters.get('format') ?? 'exact') !== 'exact')
    throw new Refusal(400, 'The parameter format can be exact only.')
  if ((parameters.get('attachments') ?? 'false') !== 'false')
    throw new Refusal(400, 'The parameter attachments can be false only; the content of attachments is not kept.')
  const raw = await store.find(id.toLowerCase())
  if (raw === null) throw new Refusal(404, 'There is no statement with this id.')
  return { status: 200, headers: { 'Content-Type': 'application/json', ...lastModified(raw) }, body: raw }
}

/** The time at which it was stored, as 2.0 asks for. */
function lastModified(raw: string): Record<string, string> {
  const statement = parseJson(Buffer.from(raw))
  const stored = isObject(statement) && typeof statement.stored === 'string' ? statement.stored : null
  return stored === null ? {} : { 'Last-Modified': new Date(stored).toUTCString() }
}
