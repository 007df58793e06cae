// From the body of a request to the statements in it, and whether its attachments fit them (xAPI 1.0.3, Communication 1.5).

import { createHash } from 'node:crypto'
import { attachmentsOf } from './attachment.ts'
import { isObject, type Json, type JsonObject, parseJson } from './json.ts'
import { mediaTypeOf } from './media-type.ts'
import { boundaryOf, type Part, partsOf } from './multipart.ts'
import { Refusal } from './refusal.ts'

export interface Content {
  /** What the sender wrote as statements, unchecked. */
  value: Json
  /** The attachments that came along; null when the request is plain JSON and can bring none. */
  parts: readonly Part[] | null
}

/** @throws Refusal 400 when the body is neither JSON nor statements with their attachments in `multipart/mixed`. */
export function readContent(contentType: string | undefined, body: Buffer): Content {
  const type = mediaTypeOf(contentType ?? '')
  if (type === 'application/json') return { value: readJson(body, 'The body'), parts: null }
  if (type !== 'multipart/mixed')
    throw new Refusal(
      400,
      'The Content-Type must be application/json or multipart/mixed. Send the request with one of them.',
    )
  const boundary = boundaryOf(contentType ?? '')
  if (boundary === null) throw new Refusal(400, 'The Content-Type multipart/mixed must name its boundary.')
  const [first, ...parts] = partsOf(body, boundary) ?? []
  if (!first)
    throw new Refusal(
      400,
      'The body is not made of parts between the boundary that the Content-Type names, up to its end.',
    )
  if (mediaTypeOf(first.headers['content-type'] ?? '') !== 'application/json')
    throw new Refusal(
      400,
      'The first part of the body must hold the statements and have the Content-Type application/json.',
    )
  return { value: readJson(first.content, 'The first part of the body'), parts }
}

/**
 * Holds the attachments against what checked statements say of them; they are matched by their hash alone.
 * @throws Refusal 400 when one is missing, belongs to no statement, or is not what its header says.
 */
export function checkAttachments(statements: readonly JsonObject[], parts: readonly Part[] | null): void {
  const named = statements.flatMap(attachmentsOf)
  const byHash = new Map(named.map((each) => [hashOf(each), each]))
  const brought = new Set<string>()
  for (const [index, part] of (parts ?? []).entries())
    brought.add(checkedHash(part, `Part ${index + 2} of the body`, byHash))
  if (named.some((each) => each.fileUrl === undefined && !brought.has(hashOf(each))))
    throw new Refusal(400, 'A statement has an attachment that has no fileUrl and did not come as a part of the body.')
}

function checkedHash(part: Part, place: string, byHash: ReadonlyMap<string, JsonObject>): string {
  const { headers, content } = part
  const hash = headers['x-experience-api-hash']?.toLowerCase()
  if (!hash) throw new Refusal(400, `${place} must have the header X-Experience-API-Hash.`)
  if (headers['content-transfer-encoding']?.toLowerCase() !== 'binary')
    throw new Refusal(400, `${place} must have the header Content-Transfer-Encoding with the value binary.`)
  const attachment = byHash.get(hash)
  if (!attachment) throw new Refusal(400, `${place} has a hash that is the sha2 of no attachment of the statements.`)
  if (
    createHash(`sha${hash.length * 4}`)
      .update(content)
      .digest('hex') !== hash
  )
    throw new Refusal(400, `${place} does not have the hash that its header X-Experience-API-Hash tells.`)
  const [type, length] = [headers['content-type'], headers['content-length']]
  if (type !== undefined && mediaTypeOf(type) !== mediaTypeOf(String(attachment.contentType)))
    throw new Refusal(400, `${place} has another Content-Type than its attachment in the statement.`)
  if (length !== undefined && Number(length) !== attachment.length)
    throw new Refusal(400, `${place} has another Content-Length than its attachment in the statement.`)
  return hash
}

function hashOf(attachment: JsonObject): string {
  return String(attachment.sha2).toLowerCase()
}

function readJson(bytes: Buffer, place: string): Json {
  const value = parseJson(bytes)
  if (value === undefined || (!Array.isArray(value) && !isObject(value)))
    throw new Refusal(400, `${place} is not a statement or an array of statements in JSON and UTF-8.`)
  return value
}
