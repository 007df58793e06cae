// Reading the JSON of a delivery: no digit is lost, and nothing strange brings the process down.

import { describe, expect, test } from 'vitest'
import { parseEventBody } from '#src/events/event-body.ts'

const parse = (text: string) => parseEventBody(Buffer.from(text))

describe('the body of a delivery', () => {
  test.each([
    ['{"id":21070000000000001}', { id: '21070000000000001' }],
    ['{"id":-21070000000000001}', { id: '-21070000000000001' }],
    ['{"id":9007199254740991}', { id: 9007199254740991 }],
    ['{"grade":12.5,"big":1e30}', { grade: 12.5, big: 1e30 }],
    ['\uFEFF[1,"2",null,true]', [1, '2', null, true]],
    ['"[[{{ \\" [["', '[[{{ " [['],
  ])('%s keeps what was written', (text, value) => {
    expect(parse(text)).toEqual({ ok: true, value })
  })

  test('may nest a hundred deep, and no deeper', () => {
    expect(parse(`${'['.repeat(100)}${']'.repeat(100)}`).ok).toBe(true)
    expect(parse(`${'['.repeat(101)}${']'.repeat(101)}`)).toMatchObject({ why: expect.stringContaining('100 deep') })
    expect(parse('{"a":'.repeat(200_000)).ok).toBe(false)
    expect(parse(JSON.stringify(`" ${'['.repeat(200)}`)).ok).toBe(true)
  })

  test.each(['', 'a=b', '{"a":}', '{"a":1}{'])('%j is no JSON, and no word of it is repeated', (text) => {
    expect(parse(text)).toEqual({ ok: false, why: expect.stringMatching(/^The body is not JSON;/) })
  })

  test('is UTF-8 or is refused', () => {
    expect(parseEventBody(Buffer.from([0x22, 0xe9, 0x22]))).toMatchObject({ why: expect.stringContaining('UTF-8') })
  })

  test('cannot give anything to other objects', () => {
    const body = parse('{"__proto__":{"polluted":true}}')
    expect(body.ok).toBe(true)
    expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false)
  })
})
