// Reads request bodies: plain JSON, and statements with attachments as multipart (xAPI 1.0.3, Communication 1.5).

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#src/lms/xapi/json.ts'
import { checkAttachments, readContent } from '#src/lms/xapi/request-content.ts'
import { sample, withChange } from './sample-statement.ts'

const boundary = '-------314159265358979323846'
const multipartType = `multipart/mixed; boundary=${boundary}`
const file = Buffer.from([0, 1, 2, 13, 10, 45, 45, 255, 13, 10])
const hashOf = (bytes: Buffer, algorithm = 'sha256') => createHash(algorithm).update(bytes).digest('hex')

function withAttachment(more: JsonObject = {}): JsonObject {
  const attachment = {
    usageType: 'http://example.com/u',
    display: { en: 'A file' },
    contentType: 'text/plain; charset=ascii',
  }
  return withChange('attachments', [{ ...attachment, length: file.length, sha2: hashOf(file), ...more }])
}

function part(headers: Record<string, string>, content: Buffer | string, newline = '\r\n'): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}${newline}`)
  return Buffer.concat([
    Buffer.from(`--${boundary}${newline}${lines.join('')}${newline}`),
    Buffer.from(content),
    Buffer.from(newline),
  ])
}

const endBoundary = Buffer.from(`--${boundary}--\r\n`)
const jsonHeaders = { 'Content-Type': 'application/json' }
const attachmentHeaders = {
  'Content-Type': 'text/plain',
  'Content-Transfer-Encoding': 'binary',
  'X-Experience-API-Hash': hashOf(file),
}

/** Parses the body as a sender would build it, and checks its attachments against the statement. */
function checkContent(statement: JsonObject, ...rest: Buffer[]): void {
  const body = Buffer.concat([part(jsonHeaders, JSON.stringify(statement)), ...rest, endBoundary])
  const content = readContent(multipartType, body)
  expect(content.value).toEqual(statement)
  checkAttachments([content.value as JsonObject], content.parts)
}

describe('a JSON body', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])('is read as %s', (type) => {
    expect(readContent(type, Buffer.from('[]'))).toEqual({ value: [], parts: null })
  })

  test.each([undefined, '', 'text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'])(
    'is refused as %s',
    (type) => {
      expect(() => readContent(type, Buffer.from('[]'))).toThrow('Content-Type must be')
    },
  )

  test.each(['', '{', '"text"', '1', 'null'])('is refused if it is %j', (body) => {
    expect(() => readContent('application/json', Buffer.from(body))).toThrow('The body is not a statement')
  })

  test('must have a fileUrl for each attachment', () => {
    checkAttachments([withAttachment({ fileUrl: 'https://example.com/f' })], null)
    expect(() => checkAttachments([withAttachment()], null)).toThrow('is not included')
    const nested = withChange('object', { ...withAttachment(), objectType: 'SubStatement' })
    expect(() => checkAttachments([nested], null)).toThrow('is not included')
  })
})

describe('a multipart body', () => {
  test('contains an attachment byte for byte', () => {
    checkContent(withAttachment(), part(attachmentHeaders, file))
  })

  test('may have a boundary of 70 characters', () => {
    const long = 'b'.repeat(70)
    const body = `--${long}\r\nContent-Type: application/json\r\n\r\n[]\r\n--${long}--`
    expect(readContent(`multipart/mixed; boundary=${long}`, Buffer.from(body)).value).toEqual([])
  })

  test('may contain its boundary within a line, and in a longer line', () => {
    const content = Buffer.from(`x--${boundary}\r\n--${boundary}x\r\n--${boundary} x\r\n`)
    const hash = { 'X-Experience-API-Hash': hashOf(content) }
    const statement = withAttachment({ length: content.length, sha2: hashOf(content) })
    checkContent(statement, part({ ...attachmentHeaders, ...hash }, content))
  })

  test('need not say the type of an attachment', () => {
    const { 'Content-Type': _, ...headers } = attachmentHeaders
    checkContent(withAttachment(), part(headers, file))
  })

  test('may say the length of an attachment, and have headers of one letter', () => {
    checkContent(withAttachment(), part({ ...attachmentHeaders, 'Content-Length': '10', X: '1' }, file))
  })

  test('may use one file for two attachments', () => {
    const statement = withAttachment()
    checkContent(
      { ...statement, attachments: [statement.attachments, statement.attachments].flat() as JsonObject[] },
      part(attachmentHeaders, file),
    )
  })

  test('is read as in the example of the specification', () => {
    const sha2 = '495395e777cd98da653df9615d09c0fd6bb2f8d4788394cd53c56a3bfdcd848a'
    const statement = withAttachment({ length: 27, sha2 })
    const oddBoundary = "abcABC0123'()+_,-./:=?"
    const body = [
      ...['', `--${oddBoundary}`, 'Content-Type:application/json', '', JSON.stringify(statement), `--${oddBoundary}`],
      ...['Content-Type:text/plain', 'Content-Transfer-Encoding:binary', `X-Experience-API-Hash:${sha2}`, ''],
      ...['here is a simple attachment', `--${oddBoundary}--`],
    ].join('\r\n')
    const content = readContent(`multipart/mixed; boundary="${oddBoundary}"`, Buffer.from(body))
    expect(content.value).toEqual(statement)
    checkAttachments([statement], content.parts)
  })

  test.each(['sha224', 'sha384', 'sha512'])('may be hashed with %s', (algorithm) => {
    const sha2 = hashOf(file, algorithm).toUpperCase()
    checkContent(
      withAttachment({ sha2 }),
      part({ ...attachmentHeaders, 'X-Experience-API-Hash': sha2.toLowerCase() }, file),
    )
  })

  test('may have no attachments, or a URL for each', () => {
    checkContent(sample())
    checkContent(withAttachment({ fileUrl: 'https://example.com/f' }))
  })

  test('may have bare line feeds and a quoted boundary', () => {
    const headers = { 'X-First': '1', 'Content-Type ': 'application/json' }
    const body = Buffer.concat([part(headers, JSON.stringify(sample()), '\n'), Buffer.from(`--${boundary}--`)])
    expect(readContent(`multipart/mixed;boundary="${boundary}"`, body).value).toEqual(sample())
  })

  test.each<[string, JsonObject, Buffer[]]>([
    ['is not included as a part', withAttachment(), []],
    ['Part 2 of the body has a hash that is not the sha2 of any attachment', sample(), [part(attachmentHeaders, file)]],
    [
      'Part 2 of the body must have the header X-Experience-API-Hash',
      sample(),
      [part(jsonHeaders, JSON.stringify(sample()))],
    ],
    [
      'header Content-Transfer-Encoding',
      withAttachment(),
      [part({ ...attachmentHeaders, 'Content-Transfer-Encoding': 'base64' }, file)],
    ],
    ['does not have the hash that its header', withAttachment(), [part(attachmentHeaders, 'something else')]],
    ['different Content-Type', withAttachment(), [part({ ...attachmentHeaders, 'Content-Type': 'image/png' }, file)]],
    ['different Content-Length', withAttachment(), [part({ ...attachmentHeaders, 'Content-Length': '9' }, file)]],
  ])('is refused: %s', (sentence, statement, rest) => {
    expect(() => checkContent(statement, ...rest)).toThrow(sentence)
  })

  test.each<[string, string, Buffer]>([
    ['must name its boundary', 'multipart/mixed;', part(jsonHeaders, '{}')],
    ['is not a complete sequence of parts', multipartType, part(jsonHeaders, '{}')],
    ['is not a complete sequence of parts', multipartType, Buffer.from('{}')],
    [
      'is not a complete sequence of parts',
      multipartType,
      Buffer.concat([part(jsonHeaders, '{}'), Buffer.from(`--${boundary}\r\nno header\r\n\r\n\r\n`), endBoundary]),
    ],
    [
      'is not a complete sequence of parts',
      multipartType,
      Buffer.concat([Buffer.from(`--${boundary}\r\n`), endBoundary]),
    ],
    [
      'is not a complete sequence of parts',
      multipartType,
      Buffer.from(`--${boundary}\r\nContent-Type: application/json\r\n--${boundary}--\r\n`),
    ],
    [
      'must contain the statements',
      multipartType,
      Buffer.concat([part({ 'Content-Type': 'text/plain' }, '{}'), endBoundary]),
    ],
    [
      'The first part of the body is not a statement',
      multipartType,
      Buffer.concat([part(jsonHeaders, '{'), endBoundary]),
    ],
  ])('is refused: %s', (sentence, type, body) => {
    expect(() => readContent(type, body)).toThrow(sentence)
  })
})
