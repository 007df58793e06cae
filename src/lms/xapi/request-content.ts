// Reads the statements from the body of a request, and checks that its attachments match them (xAPI 1.0.3,
// Communication 1.5). Pure.

import { createHash } from 'node:crypto'
import { attachmentsOf } from './attachment.ts'
import { isObject, type Json, type JsonObject, parseJson } from './json.ts'
import { mediaTypeOf } from './media-type.ts'
import { type BodyPart, bodyPartsOf, boundaryOf } from './multipart.ts'
import { StatementRefusal } from './statement-refusal.ts'

export interface Content {
  /** The statements as sent, not validated yet. */
  value: Json
  /** The attachments in the body; null when the request is plain JSON, which cannot have any. */
  parts: readonly BodyPart[] | null
}

/**
 * @throws StatementRefusal 400 when the body is neither JSON nor statements with their attachments in `multipart/mixed`
 */
export function readContent(contentType: string | undefined, body: Buffer): Content {
  const type = mediaTypeOf(contentType)
  if (type === 'application/json') return { value: readJson(body, 'The body'), parts: null }
  if (type !== 'multipart/mixed')
    throw new StatementRefusal(
      400,
      'The Content-Type must be application/json or multipart/mixed. Send the request with one of them.',
    )
  const boundary = boundaryOf(contentType ?? '')
  if (boundary === null) throw new StatementRefusal(400, 'The Content-Type multipart/mixed must name its boundary.')
  const [first, ...parts] = bodyPartsOf(body, boundary) ?? []
  if (!first)
    throw new StatementRefusal(
      400,
      'The body is not a complete sequence of parts, separated and ended by the boundary in the Content-Type.',
    )
  if (mediaTypeOf(first.headers['content-type']) !== 'application/json')
    throw new StatementRefusal(
      400,
      'The first part of the body must contain the statements and have the Content-Type application/json.',
    )
  return { value: readJson(first.content, 'The first part of the body'), parts }
}

/**
 * Compares the attachments with their descriptions in validated statements. They are matched only by hash.
 * @throws StatementRefusal 400 when an attachment is missing, belongs to no statement, or does not match its headers
 */
export function checkAttachments(statements: readonly JsonObject[], parts: readonly BodyPart[] | null): void {
  const descriptions = statements.flatMap(attachmentsOf)
  const descriptionByHash = new Map(descriptions.map((description) => [hashOf(description), description]))
  const received = new Set<string>()
  for (const [index, part] of (parts ?? []).entries())
    received.add(checkedHash(part, `Part ${index + 2} of the body`, descriptionByHash))
  if (descriptions.some((description) => description.fileUrl === undefined && !received.has(hashOf(description))))
    throw new StatementRefusal(
      400,
      'A statement has an attachment that has no fileUrl and is not included as a part of the body.',
    )
}

function checkedHash(part: BodyPart, location: string, byHash: ReadonlyMap<string, JsonObject>): string {
  const { headers, content } = part
  const hash = headers['x-experience-api-hash']?.toLowerCase()
  if (!hash) throw new StatementRefusal(400, `${location} must have the header X-Experience-API-Hash.`)
  if (headers['content-transfer-encoding']?.toLowerCase() !== 'binary')
    throw new StatementRefusal(400, `${location} must have the header Content-Transfer-Encoding with the value binary.`)
  const attachment = byHash.get(hash)
  if (!attachment)
    throw new StatementRefusal(400, `${location} has a hash that is not the sha2 of any attachment of the statements.`)
  if (
    createHash(`sha${hash.length * 4}`)
      .update(content)
      .digest('hex') !== hash
  )
    throw new StatementRefusal(400, `${location} does not have the hash that its header X-Experience-API-Hash names.`)
  const [type, length] = [headers['content-type'], headers['content-length']]
  if (type !== undefined && mediaTypeOf(type) !== mediaTypeOf(String(attachment.contentType)))
    throw new StatementRefusal(400, `${location} has a different Content-Type from its attachment in the statement.`)
  if (length !== undefined && Number(length) !== attachment.length)
    throw new StatementRefusal(400, `${location} has a different Content-Length from its attachment in the statement.`)
  return hash
}

function hashOf(attachment: JsonObject): string {
  return String(attachment.sha2).toLowerCase()
}

function readJson(bytes: Buffer, location: string): Json {
  const value = parseJson(bytes)
  if (!Array.isArray(value) && !isObject(value))
    throw new StatementRefusal(400, `${location} is not a statement or an array of statements, as JSON in UTF-8.`)
  return value
}
