// Signed statements: an attachment holds the statement once more, as a JSON Web Signature (xAPI 1.0.3, Data 2.6; RFC 7515).

import { verify, X509Certificate } from 'node:crypto'
import { isObject, type Json, type JsonObject, parseJson } from './json.ts'
import { mediaTypeOf } from './media-type.ts'
import type { Part } from './multipart.ts'
import { Refusal } from './refusal.ts'
import { digestOf } from './same.ts'

const signatureUsage = 'http://adlnet.gov/expapi/attachments/signature'
const hashes: Readonly<Record<string, string>> = { RS256: 'sha256', RS384: 'sha384', RS512: 'sha512' }

/**
 * Holds the signatures of checked statements, whose attachments were checked as well, against the statements.
 * Who signed is not asked: a signature is held against the certificate that it brings, and may bring none.
 * @throws Refusal 400 when a signature did not come along, is none, or is one of something else
 */
export function checkSignatures(statements: readonly JsonObject[], parts: readonly Part[] | null): void {
  // One signature may be attached to many statements, and is large where whoever made it wants to keep us busy.
  const digests = new Map<Part, string>()
  const digestIn = (part: Part): string => {
    const digest = digests.get(part) ?? digestOf(unsigned(signedIn(part.content)))
    digests.set(part, digest)
    return digest
  }
  for (const statement of statements)
    for (const attachment of attachmentsIn(statement).filter(isSignature)) {
      if (mediaTypeOf(String(attachment.contentType)) !== 'application/octet-stream')
        throw refusal('must have the contentType application/octet-stream')
      const hash = String(attachment.sha2).toLowerCase()
      const part = parts?.find(({ headers }) => headers['x-experience-api-hash']?.toLowerCase() === hash)
      if (!part) throw refusal('must come along as a part of the body')
      if (digestIn(part) !== digestOf(unsigned(statement))) throw refusal('is one of another statement')
    }
}

/** What a signature says was signed. */
function signedIn(signature: Buffer): JsonObject {
  const [, head = '', payload = '', proof = ''] =
    /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(signature.toString('latin1')) ?? []
  const [header, signed] = [objectIn(head), objectIn(payload)]
  if (!header || !signed) throw refusal('must be a JSON Web Signature, in its compact form, of a statement')
  const hash = Object.hasOwn(hashes, String(header.alg)) ? hashes[String(header.alg)] : undefined
  if (hash === undefined || header.crit !== undefined)
    throw refusal('must be made with RS256, RS384 or RS512, and ask for no extension')
  const [certificate] = Array.isArray(header.x5c) ? header.x5c : []
  const bytes = { signed: Buffer.from(`${head}.${payload}`), proof: Buffer.from(proof, 'base64url') }
  if (header.x5c !== undefined && !isBy(certificate, hash, bytes))
    throw refusal('is not made with the key of the certificate that it brings')
  return signed
}

function isBy(
  certificate: Json | undefined,
  hash: string,
  { signed, proof }: { signed: Buffer; proof: Buffer },
): boolean {
  try {
    const { publicKey } = new X509Certificate(Buffer.from(String(certificate), 'base64'))
    return publicKey.asymmetricKeyType === 'rsa' && verify(hash, signed, publicKey, proof)
  } catch {
    return false
  }
}

function objectIn(base64url: string): JsonObject | null {
  const value = parseJson(Buffer.from(base64url, 'base64url'))
  return isObject(value) ? value : null
}

/** As it was before it was signed. */
function unsigned(statement: JsonObject): JsonObject {
  const { attachments: _, ...rest } = statement
  return { ...rest, attachments: attachmentsIn(statement).filter((each) => !isSignature(each)) }
}

function attachmentsIn({ attachments }: JsonObject): JsonObject[] {
  return Array.isArray(attachments) ? attachments.filter(isObject) : []
}

function isSignature({ usageType }: JsonObject): boolean {
  return usageType === signatureUsage
}

function refusal(rule: string): Refusal {
  return new Refusal(400, `The signature of a statement ${rule}. Nothing of this request was stored.`)
}
