// One key for one delivery: what counts as the same, and what does not.

import { describe, expect, test } from 'vitest'
import { type EventMap, eventMapSchema } from '#config/event-map-settings.ts'
import { deliveryKey } from '#src/events/delivery-key.ts'

const map = (given: object = {}): EventMap => eventMapSchema.parse({ learner: '/l', course: '/c', ...given })
type Sent = [headers: Record<string, string>, body: unknown, settings?: object]
const keyOf = ([headers, body, settings]: Sent) =>
  deliveryKey(map(settings), headers, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))

const ce = { 'ce-id': '1', 'ce-source': '/lms' }
const structured = { specversion: '1.0', id: '1', source: '/lms', type: 'done' }
const edx = { event_metadata: { id: 'e-1', time: 'a' } }
const xapi = (registration: string) => ({ verb: 'v', context: { registration, platform: 'Moodle' } })

describe('the key of a delivery', () => {
  test('is SHA-256 in hex', () => {
    expect(keyOf([{}, {}])).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each<[string, Sent, Sent]>([
    ['one webhook-id', [{ 'webhook-id': 'm1' }, { try: 1 }], [{ 'Webhook-Id': 'm1' }, { try: 2 }]],
    ['one CloudEvent in headers', [ce, { try: 1 }], [{ 'CE-ID': '1', 'CE-Source': '/lms' }, { try: 2 }]],
    ['a CloudEvent in headers and in the body', [ce, {}], [{}, { ...structured, time: 'later' }]],
    ['one id of Open edX', [{}, edx], [{}, { event_metadata: { id: 'e-1', time: 'b' } }]],
    [
      'one id at the place of the settings',
      [{}, { message_id: 'wh-1', try: 1 }, { deliveryId: '/message_id' }],
      [{ 'webhook-id': 'm9' }, { message_id: 'wh-1', try: 2 }, { deliveryId: '/message_id' }],
    ],
    ['one id as number and as text', [{}, { n: 7 }, { id: '/n' }], [{}, { n: '7', x: 1 }, { id: '#/n' }]],
    ['members in another order', [{}, '{"a":1,"b":{"c":2,"d":3}}'], [{}, '{ "b": {"d":3, "c":2}, "a": 1 }']],
    ['a registration that changes', [{}, xapi('r1')], [{}, xapi('r2')]],
    ['a registration in a list', [{}, [xapi('r1')]], [{}, [xapi('r2')]]],
    ['stored and sendTime', [{}, { a: 1, stored: 'x', sendTime: 'x' }], [{}, { a: 1 }]],
    [
      'members that the settings call volatile, in each event',
      [{}, { events: [{ a: 1, sent: 'x' }] }, { list: '/events', volatile: ['/sent'] }],
      [{}, { events: [{ a: 1, sent: 'y' }] }, { list: '/events', volatile: ['/sent'] }],
    ],
    ['bytes that are no JSON', [{}, 'a=b'], [{}, 'a=b']],
  ])('is the same for %s', (_, one, other) => {
    expect(keyOf(one)).toBe(keyOf(other))
  })

  test.each<[string, Sent, Sent]>([
    ['two webhook-ids', [{ 'webhook-id': 'm1' }, {}], [{ 'webhook-id': 'm2' }, {}]],
    ['two sources of CloudEvents', [ce, {}], [{ ...ce, 'ce-source': '/other' }, {}]],
    [
      'source and id that make one text',
      [{ 'ce-source': 'a', 'ce-id': 'bc' }, {}],
      [{ 'ce-source': 'ab', 'ce-id': 'c' }, {}],
    ],
    ['an id of another kind', [{ 'webhook-id': 'e-1' }, {}], [{}, edx]],
    ['an id without its source', [{ 'ce-id': '1' }, { a: 1 }], [{ 'ce-id': '1' }, { a: 2 }]],
    ['an id that is missing', [{}, { a: 1 }, { deliveryId: '/id' }], [{}, { a: 2 }, { deliveryId: '/id' }]],
    [
      'an id of one event in a list',
      [{}, [{ id: 1, a: 1 }], { list: '', id: '/id' }],
      [{}, [{ id: 1 }], { list: '', id: '/id' }],
    ],
    [
      'content, where only the events have ids',
      [{}, { id: 'b', events: [1] }, { list: '/events', id: '/id' }],
      [{}, { id: 'b', events: [2] }, { list: '/events', id: '/id' }],
    ],
    ['content', [{}, { a: 1 }], [{}, { a: 2 }]],
    ['the order of a list', [{}, [1, 2]], [{}, [2, 1]]],
    ['ids of 17 digits', [{}, '{"id":21070000000000001}'], [{}, '{"id":21070000000000002}']],
    ['a list and a group', [{}, []], [{}, {}]],
    ['bytes that are no JSON', [{}, 'a=b'], [{}, 'a=c']],
    ['registration elsewhere', [{}, { registration: 1 }], [{}, { registration: 2 }]],
  ])('differs by %s', (_, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other))
  })

  test('does not fail on nesting that nobody sends', () => {
    expect(keyOf([{}, '['.repeat(500_000)])).toMatch(/^[0-9a-f]{64}$/)
  })
})
