// The outcome of a changing call for each kind of exchange.

import { describe, expect, test } from 'vitest'
import type { Exchange } from '#src/issuer/http/exchange.ts'
import { classifyChange } from '#src/issuer/sending/outcome.ts'

const now = new Date('2026-03-01T12:00:00Z')
const answer = (status: number, text: string, headers = {}): Exchange => ({ kind: 'answer', status, headers, text })
const failed = (code: string, sent: boolean): Exchange => ({ kind: 'failed', code, sent })
const good = '{"status":200,"message":"uploaded","payload":{}}'
const bad = '{"status":400,"message":"Email is wrong"}'

describe('classifyChange', () => {
  test.each<[string, Exchange, string]>([
    ['a refused connection', failed('ECONNREFUSED', false), 'not_sent'],
    ['an unknown host', failed('ENOTFOUND', false), 'not_sent'],
    ['a connect timeout', failed('UND_ERR_CONNECT_TIMEOUT', false), 'not_sent'],
    ['a deadline while queued', failed('DEADLINE', false), 'not_sent'],
    ['an expired claim', failed('CLAIM_EXPIRED', false), 'not_sent'],
    ['a reset after sending', failed('ECONNRESET', true), 'unknown'],
    ['a code that looks like a refused connection, after sending', failed('ECONNREFUSED', true), 'unknown'],
    ['a deadline after sending', failed('DEADLINE', true), 'unknown'],
    ['a truncated body', failed('UND_ERR_SOCKET', true), 'unknown'],
    ['400', answer(400, bad), 'refused'],
    ['401', answer(401, bad), 'unauthorised'],
    ['403', answer(403, bad), 'refused'],
    ['404', answer(404, bad), 'refused'],
    ['422', answer(422, bad), 'refused'],
    ['404 with HTML, from a proxy', answer(404, '<html>no such host</html>'), 'unknown'],
    ['403 with an empty body', answer(403, ''), 'unknown'],
    ['400 with only a message', answer(400, '{"message":"no"}'), 'refused'],
    ['400 with only a status', answer(400, '{"status":400}'), 'refused'],
    ['400 with an object that is not an envelope', answer(400, '{"error":"no"}'), 'unknown'],
    ['200 with an envelope that says 200 as text', answer(200, '{"status":"200"}'), 'accepted'],
    ['200 with a list', answer(200, '[200]'), 'unknown'],
    ['400 with JSON that is not an envelope', answer(400, '["no"]'), 'unknown'],
    ['401 with HTML', answer(401, '<html>who are you</html>'), 'unauthorised'],
    ['413', answer(413, '<html>too large</html>'), 'too_large'],
    ['429', answer(429, ''), 'throttled'],
    ['200 with an envelope that says 200', answer(200, good), 'accepted'],
    ['200 with an envelope that says 500', answer(200, '{"status":500}'), 'unknown'],
    ['200 with an envelope without status', answer(200, '{"message":"ok"}'), 'unknown'],
    ['200 with HTML', answer(200, '<html>ok</html>'), 'unknown'],
    ['200 with truncated JSON', answer(200, good.slice(0, -1)), 'unknown'],
    ['200 with JSON null', answer(200, 'null'), 'unknown'],
    ['200 with an empty body', answer(200, ''), 'unknown'],
    ['201, though its envelope says 200', answer(201, good), 'unknown'],
    ['303', answer(303, good), 'unknown'],
    ['307', answer(307, ''), 'unknown'],
    ['500', answer(500, bad), 'unknown'],
    ['502 with HTML', answer(502, '<html>bad gateway</html>'), 'unknown'],
    ['503', answer(503, ''), 'unknown'],
    ['504', answer(504, ''), 'unknown'],
  ])('classifies %s', (_what, exchange, expected) => {
    expect(classifyChange(exchange, now).class).toBe(expected)
  })

  test.each<[string, Exchange, string | null]>([
    ['a call without an answer', failed('ECONNRESET', true), 'ECONNRESET'],
    ['a refusal by an intermediary', answer(404, '<html>'), 'NOT_THE_SERVICE'],
    ['a refusal by the service', answer(404, bad), null],
    ['multiple choices', answer(300, ''), 'REDIRECT'],
    ['a permanent redirect', answer(308, ''), 'REDIRECT'],
    ['another status of success', answer(204, ''), null],
    ['an error of the service', answer(500, bad), null],
    ['an answer that is not JSON', answer(200, '<html>'), 'ANSWER_UNREADABLE'],
    ['an envelope with another status', answer(200, '{"status":400}'), 'ENVELOPE_DISAGREES'],
    ['an accepted call', answer(200, good), null],
  ])('explains %s by a code, unless the status says it', (_what, exchange, code) => {
    expect(classifyChange(exchange, now).code).toBe(code)
  })

  test('has no words and no wait if no answer arrived', () => {
    const nothing = { status: null, words: '', retryAfterMs: null }
    expect(classifyChange(failed('ECONNRESET', true), now)).toMatchObject(nothing)
  })

  test('returns the status, the masked message and the requested wait', () => {
    const text = JSON.stringify({ message: 'Row 2: jo@x.example, phone 0049 151 2345678\u0000 is wrong' })
    expect(classifyChange(answer(429, text, { 'retry-after': '3' }), now)).toEqual({
      class: 'throttled',
      status: 429,
      code: null,
      words: 'Row 2: [e-mail], phone [number] is wrong',
      retryAfterMs: 3_000,
    })
  })
})
