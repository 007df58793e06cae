// The settings for events: valid and invalid values with their messages, and the effect of presets.

import { describe, expect, test } from 'vitest'
import { eventAuthSchema } from '#src/extensions/lms/webhooks/event-auth-settings.ts'
import { eventMapSchema } from '#src/extensions/lms/webhooks/event-map-settings.ts'

const longSecret = 'a secret of 24 letters :)'
const whsec = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('the authentication settings', () => {
  test.each([
    { type: 'standard-webhooks', secret: whsec },
    { type: 'standard-webhooks', secret: [whsec, whsec.slice(6)] },
    { type: 'hmac', header: 'X-Signature', secret: longSecret },
    {
      type: 'hmac',
      header: 'X-S',
      secret: [longSecret, `${longSecret}!`],
      timestamp: { header: 'X-T', signed: 'v0:{timestamp}:{body}' },
    },
    { type: 'bearer', secret: longSecret },
    { type: 'basic', user: 'u', password: longSecret },
    { type: 'body', pointer: '/token', secret: longSecret },
    { type: 'body', pointer: '/list/0/2nd', secret: longSecret },
    { type: 'jwt', jwks: 'https://keys.example.org/jwks' },
    { type: 'jwt', jwks: 'http://127.0.0.1:8080/jwks', claims: { '/a~1b': 'c' } },
    { type: 'none', allow: ['192.0.2.7', '192.0.2.0/24', '2001:db8::/32'] },
  ])('$type is accepted: %j', (given) => {
    expect(eventAuthSchema.safeParse(given).success).toBe(true)
  })

  test.each([
    ['an unknown type', { type: 'oauth' }, 'has no known type'],
    ['a short secret', { type: 'standard-webhooks', secret: 'whsec_c2hvcnQ=' }, 'is not a Standard Webhooks secret'],
    [
      'a secret that is not base64',
      { type: 'standard-webhooks', secret: 'whsec_plain text, long' },
      'is not a Standard Webhooks secret',
    ],
    ['an empty secret', { type: 'bearer', secret: '' }, 'Too small'],
    ['a number as the secret', { type: 'bearer', secret: 7 }, 'is neither a string nor a list of one to five strings'],
    ['a token of 23 letters', { type: 'bearer', secret: 'x'.repeat(23) }, 'openssl rand -base64 32'],
    ['a password of 23 letters', { type: 'basic', user: 'u', password: 'x'.repeat(23) }, 'fewer than 24 characters'],
    ['a short secret in a body', { type: 'body', pointer: '/token', secret: 'short' }, 'fewer than 24 characters'],
    ['a short key next to a long one', { type: 'hmac', header: 'X', secret: [longSecret, 'short'] }, 'fewer than 24'],
    [
      'a secret of 16 bytes',
      { type: 'standard-webhooks', secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAA==' },
      'at least 24 characters',
    ],
    ['a header with a space', { type: 'hmac', header: 'X Y', secret: longSecret }, 'is not the name of a header'],
    [
      'signed text without the body',
      { type: 'hmac', header: 'X', secret: longSecret, timestamp: { header: 'T', signed: '{timestamp}' } },
      'does not say where the body is',
    ],
    ['a user with a colon', { type: 'basic', user: 'a:b', password: longSecret }, 'must not contain a colon'],
    ['a pointer without its slash', { type: 'body', pointer: 'token', secret: longSecret }, 'is not a JSON Pointer'],
    [
      'a secret that is the whole body',
      { type: 'body', pointer: '', secret: longSecret },
      'does not point to a named member',
    ],
    [
      'a secret in a list',
      { type: 'body', pointer: '/list/0', secret: longSecret },
      'does not point to a named member',
    ],
    ['keys over plain http', { type: 'jwt', jwks: 'http://keys.example.org' }, 'is not an https address'],
    ['keys by another protocol', { type: 'jwt', jwks: 'ftp://localhost/keys' }, 'is not an https address'],
    ['keys in a file', { type: 'jwt', jwks: 'file:///etc/keys' }, 'is not an https address'],
    ['unsigned tokens', { type: 'jwt', jwks: 'https://k.example', algorithms: ['none'] }, 'Invalid option'],
    ['a network with all addresses', { type: 'none', allow: ['0.0.0.0/0'] }, 'is neither an address'],
    ['a network with a letter', { type: 'none', allow: ['192.0.2.0/24x'] }, 'is neither an address'],
    ['a network with too long a prefix', { type: 'none', allow: ['192.0.2.0/33'] }, 'is neither an address'],
    ['a network with two prefix lengths', { type: 'none', allow: ['192.0.2.0/24/8'] }, 'is neither an address'],
    ['a host name', { type: 'none', allow: ['lms.example.org'] }, 'is neither an address'],
    ['an empty list of addresses', { type: 'none', allow: [] }, 'expected array to have'],
  ])('%s is refused', (_, given, message) => {
    const result = eventAuthSchema.safeParse(given)
    expect(result.error?.issues.map((issue) => issue.message).join('\n')).toContain(message)
  })

  test('have these values where nothing else is said', () => {
    const hmac = { type: 'hmac', header: 'X-S', secret: longSecret }
    const defaults = { algorithm: 'sha256', encoding: 'hex', prefix: '' }
    expect(eventAuthSchema.parse(hmac)).toEqual({ ...hmac, ...defaults })
    expect(eventAuthSchema.parse({ ...hmac, timestamp: { header: 'X-T' } })).toEqual({
      ...{ ...hmac, ...defaults },
      timestamp: { header: 'X-T', format: 'epoch-seconds', signed: '{timestamp}.{body}' },
    })
    const jwt = { type: 'jwt', jwks: 'https://keys.example.org/jwks' }
    expect(eventAuthSchema.parse(jwt)).toEqual({ ...jwt, algorithms: ['RS256'], claims: {} })
  })

  const hmacWith = (more: object) => ({ type: 'hmac', header: 'X-S', secret: longSecret, ...more })
  const jwtWith = (more: object) => ({ type: 'jwt', jwks: 'https://keys.example.org/jwks', ...more })
  test.each<[string, object, boolean]>([
    ['a secret of 24 characters', { type: 'bearer', secret: 'x'.repeat(24) }, true],
    ['five secrets', { type: 'bearer', secret: Array(5).fill(longSecret) }, true],
    ['six secrets', { type: 'bearer', secret: Array(6).fill(longSecret) }, false],
    ['no secrets', { type: 'bearer', secret: [] }, false],
    ['an empty secret in a list', { type: 'standard-webhooks', secret: [whsec, ''] }, false],
    ['a short secret beside a long one', { type: 'standard-webhooks', secret: [whsec, 'whsec_c2hvcnQ='] }, false],
    ['a secret of 18 bytes', { type: 'standard-webhooks', secret: 'A'.repeat(24) }, true],
    ['a secret of 17 bytes', { type: 'standard-webhooks', secret: `${'A'.repeat(23)}=` }, false],
    ['a secret with whsec_ inside', { type: 'standard-webhooks', secret: `A${whsec}` }, false],
    ['a secret with something behind it', { type: 'standard-webhooks', secret: `${whsec}!` }, false],
    ['a header of 100 characters', hmacWith({ header: 'x'.repeat(100) }), true],
    ['a header of 101 characters', hmacWith({ header: 'x'.repeat(101) }), false],
    ['a header with a colon', hmacWith({ header: 'X-S:' }), false],
    ['a prefix of 50 characters', hmacWith({ prefix: 'x'.repeat(50) }), true],
    ['a prefix of 51 characters', hmacWith({ prefix: 'x'.repeat(51) }), false],
    ['the body twice in the signed text', hmacWith({ timestamp: { header: 'T', signed: '{body}{body}' } }), false],
    ...['sha256', 'sha512', 'sha1', 'md5'].map((algorithm): [string, object, boolean] => [
      `the algorithm ${algorithm}`,
      hmacWith({ algorithm }),
      algorithm !== 'md5',
    ]),
    ...['hex', 'base64', 'binary'].map((encoding): [string, object, boolean] => [
      `the encoding ${encoding}`,
      hmacWith({ encoding }),
      encoding !== 'binary',
    ]),
    ...['epoch-seconds', 'epoch-ms', 'iso', 'rfc'].map((format): [string, object, boolean] => [
      `the time in the format ${format}`,
      hmacWith({ timestamp: { header: 'T', format } }),
      format !== 'rfc',
    ]),
    [
      'every algorithm of a JWT',
      jwtWith({
        algorithms: [
          ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
          ...['ES256', 'ES384', 'ES512', 'EdDSA'],
        ],
      }),
      true,
    ],
    ['no algorithm of a JWT', jwtWith({ algorithms: [] }), false],
    ['an empty claim', jwtWith({ claims: { '/a': '' } }), false],
    ['an empty issuer', jwtWith({ issuer: '' }), false],
    ['an empty audience', jwtWith({ audience: '' }), false],
    ['keys at no address', jwtWith({ jwks: 'keys' }), false],
    ['an empty user', { type: 'basic', user: '', password: longSecret }, false],
    ['a secret deep in the body', { type: 'body', pointer: '/a/b1', secret: longSecret }, true],
    ['a secret at a number', { type: 'body', pointer: '/a/12', secret: longSecret }, false],
    ['a network of /32', { type: 'none', allow: ['192.0.2.0/32'] }, true],
    ['an IPv6 network of /128', { type: 'none', allow: ['2001:db8::/128'] }, true],
    ['an IPv6 network of /129', { type: 'none', allow: ['2001:db8::/129'] }, false],
    ['a network of /08', { type: 'none', allow: ['192.0.2.0/08'] }, false],
    ['an unknown member', { type: 'bearer', secret: longSecret, color: 'red' }, false],
  ])('%s is accepted or refused', (_, given, isAccepted) => {
    expect(eventAuthSchema.safeParse(given).success).toBe(isAccepted)
  })

  test('no error message contains a secret', () => {
    const result = eventAuthSchema.safeParse({ type: 'standard-webhooks', secret: 'planted-secret-text' })
    expect(result.success).toBe(false)
    expect(JSON.stringify(result.error?.issues)).not.toContain('planted')
  })
})

describe('the mapping settings', () => {
  test('a single pointer means the id of the learner, and an ISO time', () => {
    expect(eventMapSchema.parse({ learner: '/user', course: '/course', completedAt: '/at', list: '' })).toEqual({
      learner: { id: '/user' },
      course: '/course',
      completedAt: { pointer: '/at', format: 'iso' },
      list: [''],
      volatile: [],
      fields: {},
      ignoreUnless: {},
    })
  })

  test('settings next to a preset override it, and columns are added to those of the preset', () => {
    const map = eventMapSchema.parse({ preset: 'canvas', course: '/body/course/sis_source_id', fields: { Mail: '/m' } })
    expect(map.course).toBe('/body/course/sis_source_id')
    expect(map.learner).toEqual({ id: '/body/user/id', email: '/body/user/email' })
    expect(map.fields).toEqual({ 'user name': '/body/user/name', Mail: '/m' })
  })

  const certificate = '/openedx_events.learning.data.CertificateData'
  test.each<[string, object]>([
    [
      'moodle-webhook',
      {
        ...{ type: '/eventname', accept: ['\\core\\event\\course_completed'] },
        ...{ learner: { id: '/relateduserid' }, course: '/courseid', fields: {} },
        completedAt: { pointer: '/timecreated', format: 'epoch-seconds' },
      },
    ],
    [
      'canvas',
      {
        ...{ type: '/metadata/event_name', accept: ['course_completed'], course: '/body/course/id' },
        learner: { id: '/body/user/id', email: '/body/user/email' },
        completedAt: { pointer: '/body/progress/completed_at', format: 'iso' },
        fields: { 'user name': '/body/user/name' },
      },
    ],
    [
      'open-edx',
      {
        ...{ type: '/event_metadata/event_type', accept: ['org.openedx.learning.certificate.created.v1'] },
        id: '/event_metadata/id',
        learner: { id: `${certificate}/user/id`, email: `${certificate}/user/pii/email` },
        course: `${certificate}/course/course_key`,
        completedAt: { pointer: '/event_metadata/time', format: 'iso' },
        fields: { 'user name': `${certificate}/user/pii/name` },
      },
    ],
  ])('the preset %s is complete', (preset, expected) => {
    expect(eventMapSchema.parse({ preset })).toEqual({ volatile: [], ignoreUnless: {}, ...expected })
  })

  test('the preset docebo needs a learner and a course', () => {
    expect(eventMapSchema.parse({ preset: 'docebo', learner: { email: '/m' }, course: '/c' })).toEqual({
      ...{ list: ['/payloads', '/payload'], type: '#/event', accept: ['course.enrollment.completed'] },
      ...{ deliveryId: '/message_id', learner: { email: '/m' }, course: '/c' },
      ...{ volatile: [], fields: {}, ignoreUnless: {} },
    })
  })

  test('all settings are kept as they were given', () => {
    const given = {
      ...{ list: ['/a', '/b'], type: '#/t', accept: ['x', 'y'], id: '/i', deliveryId: '/d', volatile: ['/v'] },
      learner: { id: '/l', idnumber: '/n', email: '/e' },
      ...{ course: '/c', completedAt: { pointer: '/at', format: 'epoch-ms' as const } },
      ...{ fields: { Grade: '/g' }, ignoreUnless: { '/p': true, '/q': 7, '/r': 'z' } },
    }
    expect(eventMapSchema.parse(given)).toEqual(given)
  })

  test.each<[object, string]>([
    [{ learner: 7 }, 'is neither a JSON Pointer nor { id: …, idnumber: …, email: … } with at least one of them'],
    [{ completedAt: 7 }, 'is neither a JSON Pointer nor { pointer: …, format: iso | epoch-seconds | epoch-ms }'],
  ])('the message about %j is: %s', (given, message) => {
    const { error } = eventMapSchema.safeParse({ learner: '/l', course: '/c', ...given })
    expect(error?.issues.map((issue) => issue.message)).toEqual([message])
  })

  test.each([
    ['no learner and no course', {}, ['learner', 'course']],
    ['the preset docebo alone, which is incomplete', { preset: 'docebo' }, ['learner', 'course']],
    ['a type without the accepted names', { learner: '/l', course: '/c', type: '/t' }, ['accept']],
    ['accepted names without the type', { learner: '/l', course: '/c', accept: ['x'] }, ['type']],
    ['a learner without pointers', { learner: {}, course: '/c' }, ['learner']],
    ['a tilde that escapes nothing', { learner: '/l', course: '/~2' }, ['course']],
    [
      'an unknown format',
      { learner: '/l', course: '/c', completedAt: { pointer: '/a', format: 'us' } },
      ['completedAt'],
    ],
    ['an unknown setting', { learner: '/l', course: '/c', color: '/x' }, ['']],
  ])('%s is refused', (_, given, paths) => {
    const result = eventMapSchema.safeParse(given)
    expect(result.error?.issues.map((issue) => issue.path.join('.'))).toEqual(paths)
  })
})
