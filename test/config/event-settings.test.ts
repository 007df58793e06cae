// The settings about events: what they take, what they refuse and in which words, and what a preset fills in.

import { describe, expect, test } from 'vitest'
import { eventAuthSchema } from '#config/event-auth-settings.ts'
import { eventMapSchema } from '#config/event-map-settings.ts'

const whsec = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('who may deliver', () => {
  test.each([
    { type: 'standard-webhooks', secret: whsec },
    { type: 'standard-webhooks', secret: [whsec, whsec.slice(6)] },
    { type: 'hmac', header: 'X-Signature', secret: 'key' },
    {
      type: 'hmac',
      header: 'X-S',
      secret: ['new', 'old'],
      timestamp: { header: 'X-T', signed: 'v0:{timestamp}:{body}' },
    },
    { type: 'bearer', secret: 't' },
    { type: 'basic', user: 'u', password: 'p' },
    { type: 'body', pointer: '/token', secret: 's' },
    { type: 'jwt', jwks: 'https://keys.example.org/jwks' },
    { type: 'jwt', jwks: 'http://127.0.0.1:8080/jwks', claims: { '/a~1b': 'c' } },
    { type: 'none', allow: ['192.0.2.7', '192.0.2.0/24', '2001:db8::/32'] },
  ])('$type is taken: %j', (given) => {
    expect(eventAuthSchema.safeParse(given).success).toBe(true)
  })

  test.each([
    ['an unknown type', { type: 'oauth' }, 'has no type that is known'],
    ['a short secret', { type: 'standard-webhooks', secret: 'whsec_c2hvcnQ=' }, 'is not a secret of Standard Webhooks'],
    ['a secret that is no base64', { type: 'standard-webhooks', secret: 'whsec_plain text, long' }, 'is not a secret'],
    ['an empty secret', { type: 'bearer', secret: '' }, 'Too small'],
    ['a header with a space', { type: 'hmac', header: 'X Y', secret: 'k' }, 'is not the name of a header'],
    [
      'signed text without the body',
      { type: 'hmac', header: 'X', secret: 'k', timestamp: { header: 'T', signed: '{timestamp}' } },
      'does not say where the body stands',
    ],
    ['a user with a colon', { type: 'basic', user: 'a:b', password: 'p' }, 'must not contain a colon'],
    ['a pointer without its slash', { type: 'body', pointer: 'token', secret: 's' }, 'is not a JSON Pointer'],
    ['a secret that is the whole body', { type: 'body', pointer: '', secret: 's' }, 'does not point at a member'],
    ['a secret in a list', { type: 'body', pointer: '/list/0', secret: 's' }, 'does not point at a member'],
    ['keys over plain http', { type: 'jwt', jwks: 'http://keys.example.org' }, 'is not an https address'],
    ['keys in a file', { type: 'jwt', jwks: 'file:///etc/keys' }, 'is not an https address'],
    ['unsigned tokens', { type: 'jwt', jwks: 'https://k.example', algorithms: ['none'] }, 'Invalid option'],
    ['a network of everything', { type: 'none', allow: ['0.0.0.0/0'] }, 'is neither an address'],
    ['a network too narrow', { type: 'none', allow: ['192.0.2.0/33'] }, 'is neither an address'],
    ['a network of networks', { type: 'none', allow: ['192.0.2.0/24/8'] }, 'is neither an address'],
    ['a host name', { type: 'none', allow: ['lms.example.org'] }, 'is neither an address'],
    ['nobody at all', { type: 'none', allow: [] }, 'expected array to have'],
  ])('%s is refused', (_, given, words) => {
    const refused = eventAuthSchema.safeParse(given)
    expect(refused.error?.issues.map((issue) => issue.message).join('\n')).toContain(words)
  })

  test('no refusal repeats a secret', () => {
    const refused = eventAuthSchema.safeParse({ type: 'standard-webhooks', secret: 'planted-secret-text' })
    expect(refused.success).toBe(false)
    expect(JSON.stringify(refused.error?.issues)).not.toContain('planted')
  })
})

describe('what an event says', () => {
  test('a pointer alone is the id of the learner, and a time in ISO', () => {
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

  test('what is written beside a preset counts more, and columns are added to those it has', () => {
    const map = eventMapSchema.parse({ preset: 'canvas', course: '/body/course/sis_source_id', fields: { Mail: '/m' } })
    expect(map.course).toBe('/body/course/sis_source_id')
    expect(map.learner).toEqual({ id: '/body/user/id', email: '/body/user/email' })
    expect(map.fields).toEqual({ 'user name': '/body/user/name', Mail: '/m' })
  })

  test.each(['moodle-webhook', 'canvas', 'open-edx'])('%s is known whole', (preset) => {
    const map = eventMapSchema.parse({ preset })
    expect(map.learner.id).toMatch(/^\//)
    expect(map.completedAt?.pointer).toMatch(/^\//)
  })

  test.each([
    ['no learner and no course', {}, ['learner', 'course']],
    ['docebo alone, whose events were not seen', { preset: 'docebo' }, ['learner', 'course']],
    ['a name without the names that are taken', { learner: '/l', course: '/c', type: '/t' }, ['accept']],
    ['names that are taken without their place', { learner: '/l', course: '/c', accept: ['x'] }, ['type']],
    ['a learner of nothing', { learner: {}, course: '/c' }, ['learner']],
    ['a tilde that escapes nothing', { learner: '/l', course: '/~2' }, ['course']],
    [
      'an unknown format',
      { learner: '/l', course: '/c', completedAt: { pointer: '/a', format: 'us' } },
      ['completedAt'],
    ],
    ['a setting that there is not', { learner: '/l', course: '/c', colour: '/x' }, ['']],
  ])('%s is refused', (_, given, places) => {
    const refused = eventMapSchema.safeParse(given)
    expect(refused.error?.issues.map((issue) => issue.path.join('.'))).toEqual(places)
  })
})
