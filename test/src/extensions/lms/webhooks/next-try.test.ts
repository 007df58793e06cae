// Whether and when an outgoing event is tried again, depending on the response.

import { describe, expect, test } from 'vitest'
import { nextTry, type WebhookAnswer } from '#src/extensions/lms/webhooks/next-try.ts'

const now = new Date('2026-11-21T12:00:00Z')
const again = (afterMs: number) => ({ do: 'again', afterMs })
const hour = 3_600_000

describe('after a response', () => {
  test.each<[string, number, WebhookAnswer, object]>([
    ['200 is done', 1, { status: 200 }, { do: 'done' }],
    ['204 is done, even at the last try', 10, { status: 204 }, { do: 'done' }],
    ['410 stops permanently', 1, { status: 410 }, { do: 'stop', why: 'gone' }],
    ['404 is tried again', 1, { status: 404 }, again(5_000)],
    ['a redirect is tried again, not followed', 1, { status: 307 }, again(5_000)],
    ['no response is tried again', 2, null, again(300_000)],
    ['429 waits as long as requested', 1, { status: 429, retryAfter: '120' }, again(120_000)],
    ['503 waits until the date', 1, { status: 503, retryAfter: 'Sat, 21 Nov 2026 13:00:00 GMT' }, again(hour)],
    ['Retry-After never shortens a wait', 3, { status: 503, retryAfter: '1' }, again(1_800_000)],
    ['Retry-After never extends a wait beyond a day', 1, { status: 429, retryAfter: '999999999' }, again(24 * hour)],
    ['an invalid Retry-After is ignored', 1, { status: 429, retryAfter: 'soon' }, again(5_000)],
    ['the tenth try is the last', 10, { status: 500 }, { do: 'stop', why: 'tries-exhausted' }],
  ])('%s', (_, attempt, answer, expected) => {
    expect(nextTry(attempt, answer, now, () => 0)).toEqual(expected)
  })

  test('ten tries take a little over three days', () => {
    const waits = Array.from({ length: 9 }, (_, index) => nextTry(index + 1, null, now, () => 0))
    const total = waits.reduce((sum, each) => sum + (each.do === 'again' ? each.afterMs : Number.NaN), 0)
    expect(total).toBe(((75 * 60 + 35) * 60 + 5) * 1_000)
  })

  test('a random delay spreads the tries and never shortens a wait', () => {
    expect(nextTry(2, null, now, () => 0)).toEqual(again(300_000))
    expect(nextTry(2, null, now, () => 0.5)).toEqual(again(315_000))
  })
})
