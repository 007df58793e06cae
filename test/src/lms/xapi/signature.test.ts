// Verifies signed statements, whose attachment contains a copy of the statement, and refuses invalid signatures.

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '#src/lms/xapi/json.ts'
import { checkSignatures } from '#src/lms/xapi/signature.ts'
import { certificateOf } from '#test/support/tls-certificate.ts'
import { attachment, id, sample, withChange } from './sample-statement.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('rsa', { modulusLength: 1024 })
const certificateFor = (key: KeyObject) => certificateOf(key, ec.privateKey).toString('base64')
const [ownCertificate, otherCertificate, ecCertificate] = [
  certificateFor(publicKey),
  certificateFor(other.publicKey),
  certificateFor(ec.publicKey),
]
const statement = withChange('id', id)
const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

function signatureOf(signed: unknown, header: JsonObject = {}, key = privateKey): Buffer {
  const text = `${base64url({ alg: 'RS256', ...header })}.${base64url(signed)}`
  const hash = `sha${String(header.alg ?? 'RS256').slice(2)}`
  return Buffer.from(`${text}.${sign(hash, Buffer.from(text), key).toString('base64url')}`)
}

/** Checks the statement with the signature attached. */
function check(
  signature: Buffer,
  { type = 'application/octet-stream', includesFile = true, others = [] as JsonObject[], statements = 1 } = {},
): void {
  const sha2 = createHash('sha256').update(signature).digest('hex')
  const usageType = 'http://adlnet.gov/expapi/attachments/signature'
  const signatureAttachment = {
    usageType,
    display: { en: 'Signature' },
    contentType: type,
    length: signature.length,
    sha2,
  }
  const part = { headers: { 'x-experience-api-hash': sha2.toUpperCase() }, content: signature }
  const signed = Array.from({ length: statements }, () => ({
    ...statement,
    attachments: [...others, signatureAttachment],
  }))
  const otherPart = { headers: { 'x-experience-api-hash': 'f'.repeat(64) }, content: Buffer.from('another file') }
  checkSignatures([sample(), ...signed], includesFile ? [otherPart, part] : null)
}

describe('a signature is accepted', () => {
  test.each(['RS256', 'RS384', 'RS512'])('if made with %s', (alg) => {
    check(signatureOf(statement, { alg }))
    check(signatureOf(statement, { alg, x5c: [ownCertificate] }))
  })

  test('if made with the key of the certificate that it contains', () => {
    check(signatureOf(statement, { x5c: [ownCertificate, otherCertificate] }))
  })

  test('if the statement also has other attachments', () => {
    check(signatureOf({ ...statement, attachments: [attachment] }), { others: [attachment] })
  })

  test('for an equal statement in another notation', () => {
    check(
      signatureOf(withChange('verb.display', { de: 'abgeschlossen' }, { ...statement, stored: 'x', attachments: [] })),
    )
  })

  test('for many statements, and parsed only once', () => {
    const signature = signatureOf(statement)
    const read = vi.spyOn(signature, 'toString')
    check(signature, { statements: 100 })
    expect(read).toHaveBeenCalledTimes(1)
  })

  test('for a statement that has no id yet', () => {
    check(signatureOf(sample()))
  })
})

describe('a signature is refused', () => {
  // If the digest followed nested groups, each level would double its text, beyond the maximum length of a string.
  test('if it contains deeply nested groups', () => {
    let actor: JsonObject = { mbox: 'mailto:ada@example.com' }
    for (let depth = 0; depth < 90; depth++) actor = { objectType: 'Group', member: [actor] }
    expect(() => check(signatureOf({ ...statement, actor }))).toThrow('belongs to another statement')
  })

  test.each<[string, Buffer]>([
    ['must be a JSON Web Signature', Buffer.from('nothing')],
    ['must be a JSON Web Signature', Buffer.concat([Buffer.from('!'), signatureOf(statement)])],
    ['must be a JSON Web Signature', Buffer.concat([signatureOf(statement), Buffer.from('!')])],
    ['must be a JSON Web Signature', Buffer.from('e30.e30')],
    ['must be a JSON Web Signature', signatureOf("{'id': 1}")],
    ['must be a JSON Web Signature', signatureOf('[]')],
    ['RS256, RS384 or RS512', signatureOf(statement, { alg: 'HS256' })],
    ['RS256, RS384 or RS512', signatureOf(statement, { alg: 'PS256' })],
    ['must not require extensions', signatureOf(statement, { crit: ['exp'] })],
    ['belongs to another statement', signatureOf(withChange('actor.mbox', 'mailto:bob@example.com', statement))],
    ['belongs to another statement', signatureOf({ ...statement, attachments: [attachment] })],
    ['does not match the certificate', signatureOf(statement, { x5c: ['bm8gY2VydGlmaWNhdGU='] })],
    ['does not match the certificate', signatureOf(statement, { x5c: [] })],
    ['does not match the certificate', signatureOf(statement, { x5c: [otherCertificate, ownCertificate] })],
    ['does not match the certificate', signatureOf(statement, { x5c: [ecCertificate] }, ec.privateKey)],
  ])('with the message: %s', (sentence, signature) => {
    expect(() => check(signature)).toThrow(sentence)
  })

  test('if it has another content type, or if its file is missing', () => {
    expect(() => check(signatureOf(statement), { type: 'text/plain' })).toThrow('application/octet-stream')
    expect(() => check(signatureOf(statement), { includesFile: false })).toThrow('must be included')
  })
})
