// Verifies signed statements: an attachment contains a copy of the statement as a JSON Web Signature (xAPI 1.0.3, Data
// 2.6; RFC 7515). Pure.

import { verify, X509Certificate } from 'node:crypto'
import { isObject, type Json, type JsonObject, parseJson } from './json.ts'
import { mediaTypeOf } from './media-type.ts'
import type { BodyPart } from './multipart.ts'
import { statementDigest } from './statement-digest.ts'
import { StatementRefusal } from './statement-refusal.ts'

const signatureUsage = 'http://adlnet.gov/expapi/attachments/signature'
const hashAlgorithms: Readonly<Record<string, string>> = { RS256: 'sha256', RS384: 'sha384', RS512: 'sha512' }

/**
 * Compares the signatures with their statements. The caller must have validated the statements and their attachments.
 * The identity of the signer is not checked: a signature is verified with the certificate that it contains, if any.
 * @throws StatementRefusal 400 when a signature is missing or malformed, or belongs to another statement
 */
export function checkSignatures(statements: readonly JsonObject[], parts: readonly BodyPart[] | null): void {
  // Digests are cached: one signature may be attached to many statements, and an attacker could make the signature
  // large.
  const digests = new Map<BodyPart, string>()
  const digestIn = (part: BodyPart): string => {
    const digest = digests.get(part) ?? statementDigest(unsigned(verifiedStatement(part.content)))
    digests.set(part, digest)
    return digest
  }
  for (const statement of statements)
    for (const attachment of attachmentsIn(statement).filter(isSignature)) {
      if (mediaTypeOf(String(attachment.contentType)) !== 'application/octet-stream')
        throw refusal('must have the contentType application/octet-stream')
      const hash = String(attachment.sha2).toLowerCase()
      const part = parts?.find(({ headers }) => headers['x-experience-api-hash']?.toLowerCase() === hash)
      if (!part) throw refusal('must be included as a part of the body')
      if (digestIn(part) !== statementDigest(unsigned(statement))) throw refusal('belongs to another statement')
    }
}

/**
 * Returns the statement that a signature contains, after verifying the signature with its certificate, if it has one.
 * @throws StatementRefusal 400 when the signature is malformed or does not match the certificate
 */
function verifiedStatement(signature: Buffer): JsonObject {
  const [, encodedHeader = '', payload = '', proof = ''] =
    /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(signature.toString('latin1')) ?? []
  const [header, statement] = [objectIn(encodedHeader), objectIn(payload)]
  if (!header || !statement) throw refusal('must be a JSON Web Signature of a statement, in compact form')
  const hash = Object.hasOwn(hashAlgorithms, String(header.alg)) ? hashAlgorithms[String(header.alg)] : undefined
  if (hash === undefined || header.crit !== undefined)
    throw refusal('must use RS256, RS384 or RS512, and must not require extensions')
  const [certificate] = Array.isArray(header.x5c) ? header.x5c : []
  const bytes = { signed: Buffer.from(`${encodedHeader}.${payload}`), proof: Buffer.from(proof, 'base64url') }
  if (header.x5c !== undefined && !isSignedBy(certificate, hash, bytes))
    throw refusal('does not match the certificate that it contains')
  return statement
}

function isSignedBy(
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

/** Returns the statement without its signatures, as it was before signing. */
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

function refusal(rule: string): StatementRefusal {
  return new StatementRefusal(400, `The signature of a statement ${rule}. Nothing from this request was stored.`)
}
