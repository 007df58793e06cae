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
