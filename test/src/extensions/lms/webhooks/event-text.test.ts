// Small readings of what an event contains: ids, cells, headers, lists, signed times, and the form in which content is
// hashed.

import { describe, expect, test } from 'vitest'
import { columnText, idText, isNothing } from '#src/extensions/lms/webhooks/event-text.ts'
import { isPossible } from '#src/extensions/lms/webhooks/event-time.ts'
import { headerOf } from '#src/extensions/lms/webhooks/inbound-request.ts'
import { eventsIn } from '#src/extensions/lms/webhooks/map-events.ts'
import { refuseInstant } from '#src/extensions/lms/webhooks/shared-key-signature.ts'
import { isKnownSecret } from '#src/platform/same-secret.ts'
import { canonicalJson } from '#src/platform/text.ts'

test.each<[unknown, string | undefined]>([
  [' E-1 ', 'E-1'],
  [0, '0'],
  [-7, '-7'],
  [9007199254740991, '9007199254740991'],
  [9007199254740992, undefined],
  [1.5, undefined],
  ['', undefined],
  ['  ', undefined],
  ['x'.repeat(1_000), 'x'.repeat(1_000)],
  ['x'.repeat(1_001), undefined],
  ['é'.repeat(500), 'é'.repeat(500)],
  ['é'.repeat(501), undefined],
  ['a\u0007b', undefined],
  ['\ud800', undefined],
  [true, undefined],
  [null, undefined],
  [['7'], undefined],
])('the id %j is %j', (value, text) => {
  expect(idText(value)).toBe(text)
})

test.each<[unknown, string | undefined]>([
  [true, 'true'],
  [false, 'false'],
  [1.5, '1.5'],
  [9007199254740991, '9007199254740991'],
  [9007199254740992, undefined],
  [' kept ', ' kept '],
  ['', ''],
  ['a\0b', undefined],
  ['\ud800', undefined],
  [null, undefined],
  [{}, undefined],
])('the cell %j is %j', (value, text) => {
  expect(columnText(value)).toBe(text)
})

test.each<[unknown, boolean]>([
  [undefined, true],
  [null, true],
  ['', true],
  [' \t', true],
  ['0', false],
  [0, false],
  [false, false],
  [[], false],
])('the value %j is nothing: %j', (value, expected) => {
  expect(isNothing(value)).toBe(expected)
})

test('a header is found in any case, unless it is empty', () => {
  const headers = { 'x-one': '1', 'x-empty': '' }
  expect(['x-one', 'X-ONE', 'x-empty', 'x-none'].map((name) => headerOf(headers, name))).toEqual([
    '1',
    '1',
    undefined,
    undefined,
  ])
})

test.each<[unknown, string]>([
  [{ b: 1, a: { d: [2, { f: null, e: 'x' }], c: true } }, '{"a":{"c":true,"d":[2,{"e":"x","f":null}]},"b":1}'],
  [[], '[]'],
  [{}, '{}'],
  [[[1], [], {}], '[[1],[],{}]'],
  ['é"', '"é\\""'],
  [null, 'null'],
  [1.5, '1.5'],
])('%j is hashed as %s', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test.each<[readonly string[] | undefined, unknown, unknown[] | null]>([
  [undefined, { a: 1 }, [{ a: 1 }]],
  [['/a'], { a: [1, 2] }, [1, 2]],
  [['/a'], { a: { b: 1 } }, [{ b: 1 }]],
  [['/a', '/b'], { a: null, b: [3] }, [3]],
  [['/a', '/b'], { a: 'text', b: {} }, [{}]],
  [['/a'], { a: [] }, []],
  [['/a'], { a: 1 }, null],
  [[''], [1], [1]],
])('the events at %j of %j are %j', (list, body, events) => {
  expect(eventsIn(list === undefined ? {} : { list }, body)).toEqual(events)
})

test('a secret is known only as a whole', () => {
  expect(isKnownSecret('two', ['one', 'two'])).toBe(true)
  expect(isKnownSecret(Buffer.from('one'), ['one', 'two'])).toBe(true)
  for (const given of ['', 'tw', 'twos', 'Two']) expect(isKnownSecret(given, ['one', 'two'])).toBe(false)
  expect(isKnownSecret('one', [])).toBe(false)
})

describe('a time', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const refused = (why: string) => ({ ok: false, why })

  test.each<[string | undefined, 'iso' | 'epoch-ms' | 'epoch-seconds', object | null]>([
    ['2026-11-21T12:05:00Z', 'iso', null],
    ['2026-11-21T12:05:00.001Z', 'iso', refused('timestamp-outside-tolerance')],
    ['2026-11-21T11:55:00Z', 'iso', null],
    ['2026-11-21T11:54:59.999Z', 'iso', refused('timestamp-outside-tolerance')],
    ['2026-11-21T13:00+01:00', 'iso', null],
    ['x2026-11-21T12:00:00Z', 'iso', refused('timestamp-unreadable')],
    ['2026-13-21T12:00:00Z', 'iso', refused('timestamp-unreadable')],
    [String(now.getTime()), 'epoch-ms', null],
    [String(now.getTime() / 1_000), 'epoch-seconds', null],
    [String(now.getTime() / 1_000), 'epoch-ms', refused('timestamp-outside-tolerance')],
    [`${now.getTime() / 1_000}s`, 'epoch-seconds', refused('timestamp-unreadable')],
    [`-${now.getTime() / 1_000}`, 'epoch-seconds', refused('timestamp-unreadable')],
    ['1'.repeat(16), 'epoch-ms', refused('timestamp-unreadable')],
    ['', 'epoch-ms', refused('timestamp-unreadable')],
    [undefined, 'iso', refused('timestamp-missing')],
  ])('of a signature, %j as %s, is close enough or refused', (text, format, expected) => {
    expect(refuseInstant(text, format, now)).toEqual(expected)
  })

  test.each([
    ['1990-01-01T00:00:00.000Z', true],
    ['1989-12-31T23:59:59.999Z', false],
    ['2026-11-22T12:00:00.000Z', true],
    ['2026-11-22T12:00:00.001Z', false],
  ])('of a completion, %s, is possible: %j', (at, expected) => {
    expect(isPossible(new Date(at), now)).toBe(expected)
  })
})
