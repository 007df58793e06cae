// Parses the JSON of an event without losing digits, and without crashing on hostile input.

import { describe, expect, test } from 'vitest'
import { parseEventBody } from '#src/extensions/lms/webhooks/event-body.ts'

const parse = (text: string) => parseEventBody(Buffer.from(text))

describe('the body of an event', () => {
  test.each([
    ['{"id":21070000000000001}', { id: '21070000000000001' }],
    ['{"id":-21070000000000001}', { id: '-21070000000000001' }],
    ['{"id":9007199254740991}', { id: 9007199254740991 }],
    ['{"grade":12.5,"big":1e30}', { grade: 12.5, big: 1e30 }],
    ['\uFEFF[1,"2",null,true]', [1, '2', null, true]],
    ['"a\uFEFFb"', 'a\uFEFFb'],
    ['"[[{{ \\" [["', '[[{{ " [['],
  ])('%s keeps its exact value', (text, value) => {
    expect(parse(text)).toEqual({ ok: true, value })
  })

  test('may be nested a hundred levels deep, and no deeper', () => {
    expect(parse(`${'['.repeat(100)}${']'.repeat(100)}`).ok).toBe(true)
    expect(parse(`${'['.repeat(101)}${']'.repeat(101)}`)).toMatchObject({
      why: expect.stringContaining('100 levels deep'),
    })
    expect(parse('{"a":'.repeat(200_000)).ok).toBe(false)
    for (const member of ['[]', '{}']) expect(parse(`[${Array(200).fill(member)}]`).ok).toBe(true)
    expect(parse(JSON.stringify(`" ${'['.repeat(200)}`)).ok).toBe(true)
  })

  test.each(['', 'a=b', '{"a":}', '{"a":1}{'])('%j is not JSON, and the message contains nothing of it', (text) => {
    expect(parse(text)).toEqual({ ok: false, why: expect.stringMatching(/^The body is not JSON;/) })
  })

  test('must be UTF-8', () => {
    expect(parseEventBody(Buffer.from([0x22, 0xe9, 0x22]))).toMatchObject({ why: expect.stringContaining('UTF-8') })
  })

  test('cannot modify other objects', () => {
    const body = parse('{"__proto__":{"polluted":true}}')
    expect(body.ok).toBe(true)
    expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false)
  })
})
