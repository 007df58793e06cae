// Bodies: JSON alone, and statements with their attachments in several parts (xAPI 1.0.3, Communication 1.5).

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkAttachments, readContent } from '#src/xapi/content.ts'
import type { JsonObject } from '#src/xapi/json.ts'
import { changed, sample } from './sample-statement.ts'

const boundary = '-------314159265358979323846'
const mixed = `multipart/mixed; boundary=${boundary}`
const file = Buffer.from([0, 1, 2, 13, 10, 45, 45, 255, 13, 10])
const hashOf = (bytes: Buffer, algorithm = 'sha256') => createHash(algorithm).update(bytes).digest('hex')

function withAttachment(more: JsonObject = {}): JsonObject {
  const attachment = {
    usageType: 'http://example.com/u',
    display: { en: 'A file' },
    contentType: 'text/plain; charset=ascii',
  }
  return changed('attachments', [{ ...attachment, length: file.length, sha2: hashOf(file), ...more }])
}

function part(headers: Record<string, string>, content: Buffer | string, newline = '\r\n'): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}${newline}`)
  return Buffer.concat([
    Buffer.from(`--${boundary}${newline}${lines.join('')}${newline}`),
    Buffer.from(content),
    Buffer.from(newline),
  ])
}

const end = Buffer.from(`--${boundary}--\r\n`)
const json = { 'Content-Type': 'application/json' }
const raw = {
  'Content-Type': 'text/plain',
  'Content-Transfer-Encoding': 'binary',
  'X-Experience-API-Hash': hashOf(file),
}

/** The body as a sender would put it together; reads it and holds its attachments against the statement. */
function take(statement: JsonObject, ...rest: Buffer[]): void {
  const body = Buffer.concat([part(json, JSON.stringify(statement)), ...rest, end])
  const content = readContent(mixed, body)
  expect(content.value).toEqual(statement)
  checkAttachments([content.value as JsonObject], content.parts)
}

describe('JSON', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])('is taken as %s', (type) => {
    expect(readContent(type, Buffer.from('[]'))).toEqual({ value: [], parts: null })
  })

  test.each([undefined, '', 'text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'])(
    'is refused as %s',
    (type) => {
      expect(() => readContent(type, Buffer.from('[]'))).toThrow('Content-Type must be')
    },
  )

  test.each(['', '{', '"text"', '1', 'null'])('is refused when it is %j', (body) => {
    expect(() => readContent('application/json', Buffer.from(body))).toThrow('is not a statement')
  })

  test('must have a fileUrl for each attachment', () => {
    checkAttachments([withAttachment({ fileUrl: 'https://example.com/f' })], null)
    expect(() => checkAttachments([withAttachment()], null)).toThrow('did not come')
    const nested = changed('object', { ...withAttachment(), objectType: 'SubStatement' })
    expect(() => checkAttachments([nested], null)).toThrow('did not come')
  })
})

describe('several parts', () => {
  test('bring an attachment byte for byte', () => {
    take(withAttachment(), part(raw, file))
  })

  test('may bring one file for two attachments', () => {
    const statement = withAttachment()
    take(
      { ...statement, attachments: [statement.attachments, statement.attachments].flat() as JsonObject[] },
      part(raw, file),
    )
  })

  test('are read as in the example of the specification', () => {
    const sha2 = '495395e777cd98da653df9615d09c0fd6bb2f8d4788394cd53c56a3bfdcd848a'
    const statement = withAttachment({ length: 27, sha2 })
    const odd = "abcABC0123'()+_,-./:=?"
    const body = [
      ...['', `--${odd}`, 'Content-Type:application/json', '', JSON.stringify(statement), `--${odd}`],
      ...['Content-Type:text/plain', 'Content-Transfer-Encoding:binary', `X-Experience-API-Hash:${sha2}`, ''],
      ...['here is a simple attachment', `--${odd}--`],
    ].join('\r\n')
    const content = readContent(`multipart/mixed; boundary="${odd}"`, Buffer.from(body))
    expect(content.value).toEqual(statement)
    checkAttachments([statement], content.parts)
  })

  test.each(['sha224', 'sha384', 'sha512'])('may be hashed with %s', (algorithm) => {
    const sha2 = hashOf(file, algorithm).toUpperCase()
    take(withAttachment({ sha2 }), part({ ...raw, 'X-Experience-API-Hash': sha2.toLowerCase() }, file))
  })

  test('may be without attachments, or with an address for each', () => {
    take(sample())
    take(withAttachment({ fileUrl: 'https://example.com/f' }))
  })

  test('may have bare line feeds and a quoted boundary', () => {
    const body = Buffer.concat([part(json, JSON.stringify(sample()), '\n'), Buffer.from(`--${boundary}--`)])
    expect(readContent(`multipart/mixed; boundary="${boundary}"`, body).value).toEqual(sample())
  })

  test.each<[string, JsonObject, Buffer[]]>([
    ['did not come as a part', withAttachment(), []],
    ['Part 2 of the body has a hash that is the sha2 of no attachment', sample(), [part(raw, file)]],
    ['Part 2 of the body must have the header X-Experience-API-Hash', sample(), [part(json, JSON.stringify(sample()))]],
    [
      'header Content-Transfer-Encoding',
      withAttachment(),
      [part({ ...raw, 'Content-Transfer-Encoding': 'base64' }, file)],
    ],
    ['does not have the hash that its header', withAttachment(), [part(raw, 'something else')]],
    ['another Content-Type than', withAttachment(), [part({ ...raw, 'Content-Type': 'image/png' }, file)]],
    ['another Content-Length than', withAttachment(), [part({ ...raw, 'Content-Length': '9' }, file)]],
  ])('are refused: %s', (sentence, statement, rest) => {
    expect(() => take(statement, ...rest)).toThrow(sentence)
  })

  test.each<[string, string, Buffer]>([
    ['must name its boundary', 'multipart/mixed;', part(json, '{}')],
    ['not made of parts', mixed, part(json, '{}')],
    ['not made of parts', mixed, Buffer.from('{}')],
    [
      'not made of parts',
      mixed,
      Buffer.concat([part(json, '{}'), Buffer.from(`--${boundary}\r\nno header\r\n\r\n\r\n`), end]),
    ],
    ['not made of parts', mixed, Buffer.concat([Buffer.from(`--${boundary}\r\n`), end])],
    ['must hold the statements', mixed, Buffer.concat([part({ 'Content-Type': 'text/plain' }, '{}'), end])],
    ['The first part of the body is not a statement', mixed, Buffer.concat([part(json, '{'), end])],
  ])('are refused: %s', (sentence, type, body) => {
    expect(() => readContent(type, body)).toThrow(sentence)
  })
})
