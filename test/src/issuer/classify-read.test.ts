// What the answer to a read means, and whether it is tried again.

import { expect, test } from 'vitest'
import { classifyRead, readEnvelope, ServiceRefusedError } from '#src/issuer/classify-read.ts'
import type { Exchange } from '#src/issuer/http/exchange.ts'
import { WireError } from '#src/issuer/read-shape.ts'

const answer = (status: number, text = ''): Exchange => ({ kind: 'answer', status, headers: {}, text })
const failed = (code: string): Exchange => ({ kind: 'failed', code, sent: true })
const read = (exchange: Exchange | null) => classifyRead(exchange, 'courses', readEnvelope)
const envelope = (status: number) => `{"status":${status},"message":"because"}`

test.each<[string, Exchange | null, object]>([
  ['nothing was sent', null, { kind: 'again', problem: 'nothing sent', throttled: false }],
  ['the connection broke', failed('ECONNRESET'), { kind: 'again', problem: 'ECONNRESET', throttled: false }],
  ['the service throttles', answer(429), { kind: 'again', problem: 'HTTP 429', throttled: true }],
  ['the service fails', answer(500), { kind: 'again', problem: 'HTTP 500', throttled: false }],
  ['a gateway fails', answer(502), { kind: 'again', problem: 'HTTP 502', throttled: false }],
  [
    'the envelope says 500',
    answer(200, envelope(500)),
    { kind: 'again', problem: 'envelope status 500', throttled: false },
  ],
  [
    'the envelope says 503',
    answer(200, envelope(503)),
    { kind: 'again', problem: 'envelope status 503', throttled: false },
  ],
  ['the body is cut', answer(200, '{"sta'), { kind: 'again', problem: 'unreadable answer', throttled: false }],
])('a read is tried again if %s', (_, exchange, result) => {
  expect(read(exchange)).toMatchObject(result)
})

test('an unreadable answer says after the last attempt what is wrong with it', () => {
  const result = read(answer(200, '<html>'))
  expect(result).toMatchObject({ error: expect.any(WireError) })
  expect(String((result as { error: Error }).error)).toMatch(/courses.*whole answer.*not JSON/)
})

test.each([
  ['HTTP 404', answer(404, '{"message":"because"}'), 404],
  ['HTTP 499', answer(499, '{"message":"because"}'), 499],
  ['the envelope', answer(200, envelope(404)), 404],
  ['the envelope with 499', answer(200, envelope(499)), 499],
])('a read that is refused by %s is not tried again, and says why', (_, exchange, status) => {
  const result = read(exchange)
  expect(result).toEqual({ kind: 'refused', error: expect.any(ServiceRefusedError) })
  expect(result).toMatchObject({ error: { status, message: expect.stringContaining('because') } })
})

test('a refused token is renewed', () => {
  expect(read(answer(401, '{"message":"because"}'))).toEqual({ kind: 'token-refused', words: 'because' })
})

test('an answer that is too long would be so again', () => {
  expect(read(failed('ANSWER_TOO_LONG'))).toMatchObject({
    kind: 'refused',
    error: { name: 'ServiceUnreachableError', message: expect.stringContaining('ANSWER_TOO_LONG') },
  })
})

test('a good answer is returned', () => {
  expect(read(answer(200, envelope(200)))).toMatchObject({ kind: 'done', found: { status: 200, message: 'because' } })
})

test('an envelope with a status that cannot be read is named by the place of the status', () => {
  expect(String((read(answer(200, '{"status":{}}')) as { error: Error }).error)).toMatch(/ status\b/)
})
