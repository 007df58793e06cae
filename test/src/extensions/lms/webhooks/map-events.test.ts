// Maps events: real bodies with their presets, and clear messages without values for unexpected bodies.

import { describe, expect, test } from 'vitest'
import { parseEventBody } from '#src/extensions/lms/webhooks/event-body.ts'
import { eventMapSchema } from '#src/extensions/lms/webhooks/event-map-settings.ts'
import { mapEvents } from '#src/extensions/lms/webhooks/map-events.ts'

const arrivedAt = new Date('2026-11-21T12:00:00Z')
const map = (settings: object, body: unknown) => mapEvents(eventMapSchema.parse(settings), body, arrivedAt)
const pointers = { learner: '/user', course: '/course' }

// A body as sent by a Moodle 4.5.6 site with local_webhooks, with a made-up secret.
const moodle = {
  eventname: '\\core\\event\\course_completed',
  component: 'core',
  action: 'completed',
  target: 'course',
  objecttable: 'course_completions',
  objectid: '1',
  crud: 'u',
  edulevel: 2,
  contextid: 11,
  contextlevel: 50,
  contextinstanceid: '2',
  userid: '17',
  courseid: '2',
  relateduserid: '3',
  anonymous: 0,
  other: { relateduserid: '3' },
  timecreated: 1795219377,
  host: '127.0.0.1',
  token: 'a-secret',
  extra: 'credentials',
}

const canvas = {
  metadata: { event_name: 'course_completed', user_id: '21070000000000123', root_account_uuid: 'VicYj3cu5BIF' },
  body: {
    course: { id: '565', account_id: '79', name: 'Fire safety', sis_source_id: '2017.100.101.101-1' },
    progress: { completed_at: '2019-11-01T19:11:26Z', requirement_count: 2, requirement_completed_count: 2 },
    user: { id: '1', email: 'ada@example.org', name: 'Ada Lovelace' },
  },
}

const edx = {
  'openedx_events.learning.data.CertificateData': {
    user: { id: 4, is_active: true, pii: { username: 'ada', email: 'ada@example.org', name: '' } },
    course: { course_key: 'course-v1:edX+DemoX+Demo_Course', display_name: 'Demo' },
    mode: 'verified',
  },
  event_metadata: {
    id: '457f0c26-a1a5-11ed-afe6-0242ac140007',
    event_type: 'org.openedx.learning.certificate.created.v1',
    time: '2023-01-31 20:24:32.598387',
  },
}

describe('a preset reads', () => {
  test('the webhook of Moodle: the learner is the user whom the event is about, not the user who caused it', () => {
    expect(map({ preset: 'moodle-webhook' }, moodle)).toEqual({
      events: [{ learner: { id: '3' }, course: '2', at: new Date('2026-11-21T00:02:57Z'), fields: {} }],
      unreadable: [],
    })
  })

  test('the Live Event of Canvas: the learner is in the body, not in the metadata', () => {
    expect(map({ preset: 'canvas' }, canvas).events).toEqual([
      {
        learner: { id: '1', email: 'ada@example.org' },
        course: '565',
        at: new Date('2019-11-01T19:11:26Z'),
        fields: { 'user name': 'Ada Lovelace' },
      },
    ])
  })

  test('the certificate of Open edX, whose name may be empty', () => {
    expect(map({ preset: 'open-edx' }, edx).events).toEqual([
      {
        learner: { id: '4', email: 'ada@example.org' },
        course: 'course-v1:edX+DemoX+Demo_Course',
        at: new Date('2023-01-31T20:24:32.598Z'),
        fields: {},
      },
    ])
  })

  test('the envelope of Docebo, with one event and with several', () => {
    const settings = { preset: 'docebo', learner: '/user_id', course: '/course_code' }
    const one = { event: 'course.enrollment.completed', message_id: 'wh-1', payload: { user_id: 5, course_code: 'C' } }
    const two = { ...one, payload: undefined, payloads: [one.payload, { user_id: 6, course_code: 'D' }] }
    expect(map(settings, one).events.map((event) => [event.learner.id, event.course])).toEqual([['5', 'C']])
    expect(map(settings, two).events.map((event) => [event.learner.id, event.course])).toEqual([
      ['5', 'C'],
      ['6', 'D'],
    ])
    expect(map(settings, { ...two, event: 'course.enrollment.created' })).toEqual({ events: [], unreadable: [] })
  })

  test.each([
    ['moodle-webhook', { ...moodle, eventname: '\\core\\event\\course_viewed', relateduserid: null }],
    ['canvas', { ...canvas, metadata: { event_name: 'course_progress' } }],
    ['open-edx', { ...edx, event_metadata: { event_type: 'org.openedx.learning.certificate.revoked.v1' } }],
  ])('no other event of %s', (preset, body) => {
    expect(map({ preset }, body)).toEqual({ events: [], unreadable: [] })
  })

  test('no Canvas completion without a time', () => {
    const body = { ...canvas, body: { ...canvas.body, progress: { completed_at: null } } }
    const { events, unreadable } = map({ preset: 'canvas' }, body)
    expect(events).toEqual([])
    expect(unreadable[0]).toContain('no time of completion at /body/progress/completed_at')
  })
})

describe('a map', () => {
  test('reads a learner’s values as text, whatever their type', () => {
    const settings = { learner: { id: '/id', idnumber: '/no', email: '/mail' }, course: '/course' }
    expect(map(settings, { id: 7, no: ' E-1 ', mail: null, course: 12 }).events).toEqual([
      { learner: { id: '7', idnumber: 'E-1' }, course: '12', at: null, fields: {} },
    ])
  })

  test('keeps all digits of a body that parseEventBody parsed', () => {
    const body = parseEventBody(Buffer.from('{"user":21070000000000001,"course":"c"}'))
    expect(map(pointers, body.ok && body.value).events[0]?.learner.id).toBe('21070000000000001')
  })

  test('fills columns with strings, numbers and booleans, and omits missing values', () => {
    const fields = { Grade: '/g', Passed: '/p', Text: '/t', Nothing: '/n', Null: '/null', ['__proto__']: '/t' }
    const body = { user: 1, course: 2, g: 87.5, p: true, t: ' kept ', null: null }
    const cells = map({ ...pointers, fields }, body).events[0]?.fields ?? {}
    expect(Object.entries(cells)).toEqual([
      ['Grade', '87.5'],
      ['Passed', 'true'],
      ['Text', ' kept '],
    ])
  })

  test.each([
    [{ passing: true }, 1],
    [{ passing: 'true' }, 1],
    [{ passing: false }, 0],
    [{ passing: null }, 0],
    [{ passing: ['true'] }, 0],
    [{}, 0],
  ])('processes only events with the configured values: %j', (more, accepted) => {
    const { events, unreadable } = map(
      { ...pointers, ignoreUnless: { '/passing': true } },
      { user: 1, course: 1, ...more },
    )
    expect([events.length, unreadable]).toEqual([accepted, []])
  })

  test('processes each event of a list separately, also after an unreadable one', () => {
    const body = [{ user: 1, course: 1 }, 'text', { user: 2, course: 2 }, null]
    const { events, unreadable } = map({ ...pointers, list: '' }, body)
    expect(events.map((event) => event.learner.id)).toEqual(['1', '2'])
    expect(unreadable).toHaveLength(2)
  })

  test('reads no learner from the root of the body if the event has none', () => {
    const { events, unreadable } = map({ ...pointers, list: '/events' }, { user: 'actor', events: [{ course: 1 }] })
    expect(events).toEqual([])
    expect(unreadable).toHaveLength(1)
  })

  test('reads no events from an empty list', () => {
    expect(map({ ...pointers, list: '' }, [])).toEqual({ events: [], unreadable: [] })
  })
})

describe('unexpected content:', () => {
  const planted = 'planted-value'
  const allPointers = {
    learner: { id: '/user', email: '/mail' },
    course: '/course',
    type: '/type',
    accept: ['done'],
    completedAt: '/at',
    fields: { Cell: '/cell' },
  }
  const good = { user: planted, mail: planted, course: planted, type: 'done', at: '2026-01-01', cell: planted }

  test.each<[string, object, string]>([
    ['no name of the event', { type: undefined }, 'no value at /type; check `type`'],
    ['a name that is a list', { type: [planted] }, 'value at /type is neither a short string nor a whole number'],
    ['no learner', { user: '', mail: null }, 'no value at /user nor at /mail; check `learner`'],
    ['a learner that is an object', { user: { planted } }, 'value at /user is neither'],
    ['a learner that is a fraction', { user: 1.5 }, 'value at /user is neither'],
    ['a learner id that lost digits', { user: 2 ** 60 }, 'value at /user is neither'],
    ['a learner with a character that no database accepts', { user: `${planted}\0` }, 'value at /user is neither'],
    ['a learner longer than any id', { user: planted.repeat(100) }, 'value at /user is neither'],
    ['an e-mail address that is a list', { mail: [planted] }, 'value at /mail is neither'],
    ['no course', { course: '  ' }, 'no value at /course; check `course`'],
    ['no time', { at: null }, 'no time of completion at /at'],
    ['an invalid time', { at: planted }, 'value at /at is not a time in the format iso'],
    [
      'a cell that is an object',
      { cell: { planted } },
      'value at /cell does not fit in a cell; check `fields` in the settings',
    ],
    ['a cell with a lone surrogate', { cell: '\ud800' }, 'value at /cell does not fit in a cell'],
  ])('an event with %s is reported with the pointer and no value', (_, more, message) => {
    const { events, unreadable } = map(allPointers, { ...good, ...more })
    expect(events).toEqual([])
    expect(unreadable).toEqual([expect.stringContaining(message)])
    expect(unreadable[0]).not.toContain('planted')
  })

  test('a body without the list is reported', () => {
    const { unreadable } = map({ ...pointers, list: ['/a', ''] }, planted)
    expect(unreadable).toEqual([expect.stringContaining('no list of events at /a or the root of the body')])
  })

  test.each([null, 1, 'text', true, []])('a body of %j does not throw', (body) => {
    expect(map(pointers, body)).toMatchObject({ events: [], unreadable: [expect.any(String)] })
  })
})
