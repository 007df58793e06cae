// The deduplication key of an event: which events count as the same, and which do not.

import { describe, expect, test } from 'vitest'
import type { EventAuth } from '#src/extensions/lms/webhooks/event-auth-settings.ts'
import { type EventMap, eventMapSchema } from '#src/extensions/lms/webhooks/event-map-settings.ts'
import { inboundKey } from '#src/extensions/lms/webhooks/inbound-key.ts'

const map = (given: object = {}): EventMap => eventMapSchema.parse({ learner: '/l', course: '/c', ...given })
type SentEvent = [headers: Record<string, string>, body: unknown, settings?: object]
const bytesOf = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
const keyOf = ([headers, body, settings]: SentEvent, auth: EventAuth['type'] = 'bearer') =>
  inboundKey(map(settings), auth, headers, bytesOf(body))

const cloudEventHeaders = { 'ce-id': '1', 'ce-source': '/lms' }
const cloudEventBody = { specversion: '1.0', id: '1', source: '/lms', type: 'done' }
const edxBody = { event_metadata: { id: 'e-1', time: 'a' } }
const statementWith = (registration: string) => ({ verb: 'v', context: { registration, platform: 'Moodle' } })

describe('the key of an event', () => {
  test('is SHA-256 in hex', () => {
    expect(keyOf([{}, {}])).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each<[string, SentEvent, SentEvent]>([
    ['the same webhook-id', [{ 'webhook-id': 'm1' }, { try: 1 }], [{ 'webhook-id': 'm1' }, { try: 2 }]],
    ['the same CloudEvent in headers', [cloudEventHeaders, { try: 1 }], [cloudEventHeaders, { try: 2 }]],
    ['a CloudEvent in headers and in the body', [cloudEventHeaders, {}], [{}, { ...cloudEventBody, time: 'later' }]],
    ['the same id of Open edX', [{}, edxBody], [{}, { event_metadata: { id: 'e-1', time: 'b' } }]],
    [
      'the same id at the configured location',
      [{}, { message_id: 'wh-1', try: 1 }, { deliveryId: '/message_id' }],
      [{ 'webhook-id': 'm9' }, { message_id: 'wh-1', try: 2 }, { deliveryId: '/message_id' }],
    ],
    ['the same id as a number and as a string', [{}, { n: 7 }, { id: '/n' }], [{}, { n: '7', x: 1 }, { id: '#/n' }]],
    ['members in another order', [{}, '{"a":1,"b":{"c":2,"d":3}}'], [{}, '{ "b": {"d":3, "c":2}, "a": 1 }']],
    ['a registration that changes', [{}, statementWith('r1')], [{}, statementWith('r2')]],
    ['a registration in a list', [{}, [statementWith('r1')]], [{}, [statementWith('r2')]]],
    ['stored and sendTime', [{}, { a: 1, stored: 'x', sendTime: 'x' }], [{}, { a: 1 }]],
    [
      'members that the settings call volatile, in each event',
      [{}, { events: [{ a: 1, sent: 'x' }] }, { list: '/events', volatile: ['/sent'] }],
      [{}, { events: [{ a: 1, sent: 'y' }] }, { list: '/events', volatile: ['/sent'] }],
    ],
    ['bytes that are not JSON', [{}, 'a=b'], [{}, 'a=b']],
    [
      'the same id at a location with a number sign',
      [{}, { 'n#1': 7, try: 1 }, { id: '/n#1' }],
      [{}, { 'n#1': 7, try: 2 }, { id: '/n#1' }],
    ],
  ])('is the same for %s', (_, one, other) => {
    expect(keyOf(one)).toBe(keyOf(other))
  })

  test.each<[string, SentEvent, SentEvent]>([
    ['two webhook-ids', [{ 'webhook-id': 'm1' }, {}], [{ 'webhook-id': 'm2' }, {}]],
    ['two sources of CloudEvents', [cloudEventHeaders, {}], [{ ...cloudEventHeaders, 'ce-source': '/other' }, {}]],
    [
      'a source and an id that give the same text when joined',
      [{ 'ce-source': 'a', 'ce-id': 'bc' }, {}],
      [{ 'ce-source': 'ab', 'ce-id': 'c' }, {}],
    ],
    ['the origin of an equal id', [{ 'webhook-id': 'e-1' }, {}], [{}, edxBody]],
    ['content, where an id has no source', [{ 'ce-id': '1' }, { a: 1 }], [{ 'ce-id': '1' }, { a: 2 }]],
    [
      'content, where the configured id is missing',
      [{}, { a: 1 }, { deliveryId: '/id' }],
      [{}, { a: 2 }, { deliveryId: '/id' }],
    ],
    [
      'content, where only one event in a list has an id',
      [{}, [{ id: 1, a: 1 }], { list: '', id: '/id' }],
      [{}, [{ id: 1 }], { list: '', id: '/id' }],
    ],
    [
      'content, where only the events have ids',
      [{}, { id: 'b', events: [1] }, { list: '/events', id: '/id' }],
      [{}, { id: 'b', events: [2] }, { list: '/events', id: '/id' }],
    ],
    ['content', [{}, { a: 1 }], [{}, { a: 2 }]],
    [
      'content, where a source and an id are not of a CloudEvent',
      [{}, { id: '1', source: '/lms', a: 1 }],
      [{}, { id: '1', source: '/lms', a: 2 }],
    ],
    [
      'content, where the id of Open edX is empty',
      [{}, { event_metadata: { id: '' }, a: 1 }],
      [{}, { event_metadata: { id: '' }, a: 2 }],
    ],
    ['the order of a list', [{}, [1, 2]], [{}, [2, 1]]],
    ['ids of 17 digits', [{}, '{"id":21070000000000001}'], [{}, '{"id":21070000000000002}']],
    ['a list and an object', [{}, []], [{}, {}]],
    ['bytes that are not JSON', [{}, 'a=b'], [{}, 'a=c']],
    ['a registration in another location', [{}, { registration: 1 }], [{}, { registration: 2 }]],
  ])('differs by %s', (_, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other))
  })

  test.each<[string, EventAuth['type'], SentEvent, SentEvent]>([
    [
      'webhook-id, signed by Standard Webhooks',
      'standard-webhooks',
      [{ 'webhook-id': 'm1' }, 1],
      [{ 'webhook-id': 'm1' }, 2],
    ],
    ['webhook-id with a password', 'basic', [{ 'webhook-id': 'm1' }, 1], [{ 'webhook-id': 'm1' }, 2]],
    ['webhook-id with a secret in the body', 'body', [{ 'webhook-id': 'm1' }, 1], [{ 'webhook-id': 'm1' }, 2]],
    ['the body under HMAC', 'hmac', [{ 'webhook-id': 'm1' }, 1], [{ 'webhook-id': 'm2' }, 1]],
    ['bytes under HMAC', 'hmac', [{ 'webhook-id': 'm1' }, 'a=b'], [{}, 'a=b']],
    ['the payload of a JWT', 'jwt', [cloudEventHeaders, 1], [{}, 1]],
    [
      'a CloudEvent within a body under HMAC',
      'hmac',
      [cloudEventHeaders, cloudEventBody],
      [{ 'ce-id': '2', 'ce-source': '/' }, cloudEventBody],
    ],
    [
      'the body, not by headers that Standard Webhooks does not sign',
      'standard-webhooks',
      [cloudEventHeaders, 1],
      [{}, 1],
    ],
    ['header and body, if nothing is authenticated', 'none', [cloudEventHeaders, 1], [cloudEventHeaders, 1]],
  ])('is determined by %s', (_, auth, one, other) => {
    expect(keyOf(one, auth)).toBe(keyOf(other, auth))
  })

  test.each<[string, EventAuth['type'], SentEvent, SentEvent]>([
    ['under HMAC', 'hmac', [{ 'webhook-id': 'm1' }, 1], [{ 'webhook-id': 'm1' }, 2]],
    [
      'under HMAC, with bytes that are not JSON',
      'hmac',
      [{ 'webhook-id': 'm1' }, 'a=b'],
      [{ 'webhook-id': 'm1' }, 'a=c'],
    ],
    ['in a JWT', 'jwt', [cloudEventHeaders, 1], [cloudEventHeaders, 2]],
    [
      'in ce-id, which Standard Webhooks does not sign',
      'standard-webhooks',
      [cloudEventHeaders, 1],
      [cloudEventHeaders, 2],
    ],
    ['if nothing is authenticated', 'none', [cloudEventHeaders, 1], [cloudEventHeaders, 2]],
  ])('is not determined by an id in a header %s', (_, auth, one, other) => {
    expect(keyOf(one, auth)).not.toBe(keyOf(other, auth))
  })

  test('distinguishes two identical bodies by their ids if nothing is authenticated', () => {
    expect(keyOf([cloudEventHeaders, 1], 'none')).not.toBe(keyOf([{ ...cloudEventHeaders, 'ce-id': '2' }, 1], 'none'))
  })

  // Keys are stored: if one changed, an event that is sent again would be processed again.
  test.each<[string, SentEvent, string]>([
    ['webhook-id', [{ 'webhook-id': 'm1' }, {}], 'ec5fead350f737f1fc6ecbd439297833fae2a0777bde14a6f1a1c2d78e14c24b'],
    ['a CloudEvent', [cloudEventHeaders, {}], 'f3dfebdbcf2fbeb6daf31ca461d069ae62619c647059ec5d45a59d3a747d1f7e'],
    ['Open edX', [{}, edxBody], '9980594c706497b37dc754bdb39283d33cf1e9fd5f4060875e1d34def143a39d'],
    [
      'an id in the settings',
      [{}, { n: 7 }, { id: '/n' }],
      '7c613e41fcf58e649219802eccdc7794afb8d92c52deee51f997158f76d7f2d7',
    ],
    ['its content', [{}, { b: [1, 'x'], a: null }], 'd73af91d6584a4b7557e3e1f31f86938d893b15e5ff426bfbfa243c63e572876'],
    ['its bytes', [{}, 'a=b'], '9517443f940f395bed9388bcedae0b8adf8a87785b76d903cada21a5203832e8'],
  ])('of an event that is identified by %s is the same in every version', (_, event, key) => {
    expect(keyOf(event)).toBe(key)
  })

  test('of an event from an address alone is the same in every version', () => {
    expect(keyOf([cloudEventHeaders, 1], 'none')).toBe(
      '91a3c40dbd907298618077cb7fa5d7c6eccbef088a383a3b09752e014857a637',
    )
  })

  test('does not fail on extreme nesting', () => {
    expect(keyOf([{}, '['.repeat(500_000)])).toMatch(/^[0-9a-f]{64}$/)
  })
})
