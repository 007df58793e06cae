// Signed statements: the attachment that says the same once more, and what it may not be.

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '#src/xapi/json.ts'
import { checkSignatures } from '#src/xapi/signature.ts'
import { certificateOf } from '#test/support/certificate.ts'
import { attachment, changed, id, sample } from './sample-statement.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('rsa', { modulusLength: 1024 })
const certified = (key: KeyObject) => certificateOf(key, ec.privateKey).toString('base64')
const [own, ofAnother, ofAnotherKind] = [certified(publicKey), certified(other.publicKey), certified(ec.publicKey)]
const statement = changed('id', id)
const coded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

function signatureOf(signed: unknown, header: JsonObject = {}, key = privateKey): Buffer {
  const text = `${coded({ alg: 'RS256', ...header })}.${coded(signed)}`
  const hash = `sha${String(header.alg ?? 'RS256').slice(2)}`
  return Buffer.from(`${text}.${sign(hash, Buffer.from(text), key).toString('base64url')}`)
}

/** Checks the statement with the signature attached. */
function check(
  signature: Buffer,
  { type = 'application/octet-stream', brought = true, others = [] as JsonObject[], statements = 1 } = {},
): void {
  const sha2 = createHash('sha256').update(signature).digest('hex')
  const usageType = 'http://adlnet.gov/expapi/attachments/signature'
  const attached = { usageType, display: { en: 'Signature' }, contentType: type, length: signature.length, sha2 }
  const part = { headers: { 'x-experience-api-hash': sha2.toUpperCase() }, content: signature }
  const signed = Array.from({ length: statements }, () => ({ ...statement, attachments: [...others, attached] }))
  checkSignatures([sample(), ...signed], brought ? [part] : null)
}

describe('a signature is good', () => {
  test.each(['RS256', 'RS384', 'RS512'])('by %s', (alg) => {
    check(signatureOf(statement, { alg }))
  })

  test('by the key of the certificate that it brings', () => {
    check(signatureOf(statement, { x5c: [own, ofAnother] }))
  })

  test('beside other attachments, which it says as well', () => {
    check(signatureOf({ ...statement, attachments: [attachment] }), { others: [attachment] })
  })

  test('of a statement that is the same in other words', () => {
    check(signatureOf(changed('verb.display', { de: 'abgeschlossen' }, { ...statement, stored: 'x', attachments: [] })))
  })

  test('on many statements, and is read once', () => {
    const signature = signatureOf(statement)
    const read = vi.spyOn(signature, 'toString')
    check(signature, { statements: 100 })
    expect(read).toHaveBeenCalledTimes(1)
  })

  test('of a statement that had no id yet', () => {
    check(signatureOf(sample()))
  })
})

describe('a signature is refused', () => {
  // Each level would double what is compared, beyond what a text can hold.
  test('of a group of groups of groups', () => {
    let actor: JsonObject = { mbox: 'mailto:ada@example.com' }
    for (let depth = 0; depth < 90; depth++) actor = { objectType: 'Group', member: [actor] }
    expect(() => check(signatureOf({ ...statement, actor }))).toThrow('is one of another statement')
  })

  test.each<[string, Buffer]>([
    ['must be a JSON Web Signature', Buffer.from('nothing')],
    ['must be a JSON Web Signature', Buffer.from('e30.e30')],
    ['must be a JSON Web Signature', signatureOf("{'id': 1}")],
    ['must be a JSON Web Signature', signatureOf('[]')],
    ['RS256, RS384 or RS512', signatureOf(statement, { alg: 'HS256' })],
    ['RS256, RS384 or RS512', signatureOf(statement, { alg: 'PS256' })],
    ['ask for no extension', signatureOf(statement, { crit: ['exp'] })],
    ['is one of another statement', signatureOf(changed('actor.mbox', 'mailto:bob@example.com', statement))],
    ['is one of another statement', signatureOf({ ...statement, attachments: [attachment] })],
    ['the key of the certificate', signatureOf(statement, { x5c: ['bm8gY2VydGlmaWNhdGU='] })],
    ['the key of the certificate', signatureOf(statement, { x5c: [] })],
    ['the key of the certificate', signatureOf(statement, { x5c: [ofAnother, own] })],
    ['the key of the certificate', signatureOf(statement, { x5c: [ofAnotherKind] }, ec.privateKey)],
  ])('%s', (sentence, signature) => {
    expect(() => check(signature)).toThrow(sentence)
  })

  test('as another type of file, or when it stayed at home', () => {
    expect(() => check(signatureOf(statement), { type: 'text/plain' })).toThrow('application/octet-stream')
    expect(() => check(signatureOf(statement), { brought: false })).toThrow('must come along')
  })
})
