// Authentication of inbound events, for each scheme: genuine events are accepted, and every kind of forgery is refused.

import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { authenticate } from '#src/extensions/lms/webhooks/authenticate.ts'
import { checkHeaders } from '#src/extensions/lms/webhooks/check-headers.ts'
import { type EventAuth, eventAuthSchema } from '#src/extensions/lms/webhooks/event-auth-settings.ts'
import type { InboundRequest } from '#src/extensions/lms/webhooks/inbound-request.ts'
import { createKeySets } from '#src/extensions/lms/webhooks/key-sets.ts'

const now = new Date('2026-11-21T12:00:00Z')
const body = Buffer.from('{"learner":"Zoë","token":"body-secret-of-24-letters"}')
const keySets = createKeySets(() => Promise.reject(new Error('no keys are needed here')))
const settings = (given: object): EventAuth => eventAuthSchema.parse(given)
const delivery = (headers: Record<string, string>, more: Partial<InboundRequest> = {}): InboundRequest => ({
  headers,
  body,
  remoteAddress: '192.0.2.7',
  ...more,
})

type Row = [what: string, settings: object, delivery: InboundRequest, expected: string]
const verdictOf = async (given: object, event: InboundRequest) => {
  const verdict = await authenticate(settings(given), event, now, keySets)
  return verdict.ok ? 'ok' : verdict.why
}
const testRows = (rows: Row[]) =>
  test.each(rows)('%s', async (_, given, event, expected) => {
    expect(await verdictOf(given, event)).toBe(expected)
    const headerCheck = checkHeaders(settings(given), event, now)
    // A decision based on the headers alone equals the final decision.
    if (headerCheck.kind === 'proven') expect(expected).toBe('ok')
    if (headerCheck.kind === 'refused') expect(headerCheck.why).toBe(expected)
  })

describe('Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKY'
  const other = 'whsec_b3RoZXItc2VjcmV0LW9mLXR3ZW50eS1mb3VyLWJ5dGVz'
  const auth = { type: 'standard-webhooks', secret }
  // Signed by the standard's own library, so that a bug of ours cannot affect both sides.
  const signedHeaders = (at = now, keys = [secret], text = body.toString()) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': keys.map((key) => new Webhook(key).sign('msg_1', at, text)).join(' '),
  })
  const at = (offset: number) => new Date(now.getTime() + offset)
  const signedHeadersWithout = (name: string) =>
    Object.fromEntries(Object.entries(signedHeaders()).filter(([each]) => each !== name))

  testRows([
    ['accepts a genuine event', auth, delivery(signedHeaders()), 'ok'],
    ['accepts a secret without its prefix', { ...auth, secret: secret.slice(6) }, delivery(signedHeaders()), 'ok'],
    ['accepts one good signature among several', auth, delivery(signedHeaders(now, [other, secret])), 'ok'],
    ['accepts either secret during a rotation', { ...auth, secret: [other, secret] }, delivery(signedHeaders()), 'ok'],
    ['ignores signatures of other schemes', auth, delivery(withPrefixedSignature(signedHeaders(), 'v1a,AAAA ')), 'ok'],
    ['accepts an event that is 5 minutes old', auth, delivery(signedHeaders(at(-300_000))), 'ok'],
    ['accepts a time 5 minutes ahead', auth, delivery(signedHeaders(at(300_000))), 'ok'],
    ['refuses a replay', auth, delivery(signedHeaders(at(-301_000))), 'timestamp-outside-tolerance'],
    ['refuses a time further ahead', auth, delivery(signedHeaders(at(301_000))), 'timestamp-outside-tolerance'],
    [
      'refuses a replay with a new time on it',
      auth,
      delivery({ ...signedHeaders(at(-301_000)), 'webhook-timestamp': signedHeaders()['webhook-timestamp'] }),
      'signature-wrong',
    ],
    ['refuses another id', auth, delivery({ ...signedHeaders(), 'webhook-id': 'msg_2' }), 'signature-wrong'],
    ['refuses another secret', { ...auth, secret: other }, delivery(signedHeaders()), 'signature-wrong'],
    ['refuses a changed body', auth, delivery(signedHeaders(), { body: Buffer.from('{}') }), 'signature-wrong'],
    [
      'refuses invalid UTF-8 in place of the signed replacement character',
      auth,
      delivery(signedHeaders(now, [secret], '\uFFFD'), { body: Buffer.from([0xff]) }),
      'signature-wrong',
    ],
    ['accepts the tenth signature', auth, delivery(withPrefixedSignature(signedHeaders(), 'v1,AAAA '.repeat(9))), 'ok'],
    [
      'ignores the eleventh signature',
      auth,
      delivery(withPrefixedSignature(signedHeaders(), 'v1,AAAA '.repeat(10))),
      'signature-wrong',
    ],
    ['needs the id', auth, delivery(signedHeadersWithout('webhook-id')), 'signature-missing'],
    ['needs the time', auth, delivery(signedHeadersWithout('webhook-timestamp')), 'timestamp-missing'],
    ['needs the signature', auth, delivery(signedHeadersWithout('webhook-signature')), 'signature-missing'],
    ['needs a valid time', auth, delivery({ ...signedHeaders(), 'webhook-timestamp': '1e9' }), 'timestamp-unreadable'],
    [
      'needs a signature of its scheme',
      auth,
      delivery({ ...signedHeaders(), 'webhook-signature': 'v2,AA' }),
      'signature-missing',
    ],
  ])

  // Full stops separate the signed parts: if a part contains more of them, one signature can be valid for several
  // events.
  const seconds = String(now.getTime() / 1_000)
  const eventSplitAt = (id: string, rest: string) =>
    delivery(
      {
        'webhook-id': id,
        'webhook-timestamp': seconds,
        'webhook-signature': `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
          .update(`${id}.${seconds}.${rest}`)
          .digest('base64')}`,
      },
      { body: Buffer.from(rest) },
    )
  testRows([
    ['accepts an id with full stops between words', auth, eventSplitAt('evt.4f.msg-1', '{}'), 'ok'],
    ['accepts a body with times in it', auth, eventSplitAt('m1', `{"at":"x.${seconds}.y"}`), 'ok'],
    ['refuses an id that ends with the time', auth, eventSplitAt(`m1.${seconds}`, 'learner'), 'id-ambiguous'],
    ['refuses an id with a time inside', auth, eventSplitAt(`m1.${seconds}.x`, '{}'), 'id-ambiguous'],
    ['refuses a body that begins with the time', auth, eventSplitAt('m1', `${seconds}.{}`), 'id-ambiguous'],
    [
      'refuses a body that begins with the rest of an id',
      auth,
      eventSplitAt('m1', `x-2.y.${seconds}.{}`),
      'id-ambiguous',
    ],
  ])
})

describe('an HMAC in a header', () => {
  const auth = { type: 'hmac', header: 'X-Signature', secret: 'the key of this one sender' }
  const mac = (algorithm: string, text: string | Buffer = body, key = 'the key of this one sender') =>
    createHmac(algorithm, key).update(text)
  const hex = mac('sha256').digest('hex')
  const base64 = mac('sha256').digest('base64')
  const seconds = String(now.getTime() / 1_000)
  const authWithTime = { ...auth, timestamp: { header: 'X-Time' } }
  const eventAt = (time: string, text = `${time}.${body}`) =>
    delivery({ 'x-time': time, 'x-signature': mac('sha256', text).digest('hex') })

  testRows([
    ['accepts hex of SHA-256', auth, delivery({ 'x-signature': hex }), 'ok'],
    ['accepts spaces around the signature', auth, delivery({ 'x-signature': ` ${hex} ` }), 'ok'],
    ...[`${hex}a`, `${hex}zz`].map(
      (text): Row => [
        `refuses ${text.slice(64)} behind the signature`,
        auth,
        delivery({ 'x-signature': text }),
        'signature-wrong',
      ],
    ),
    ...['!', '='].flatMap((mark) =>
      [`${mark}${base64}`, `${base64}${mark}${mark}!`].map(
        (text): Row => [
          `refuses the signature as ${text}`,
          { ...auth, encoding: 'base64' },
          delivery({ 'x-signature': text }),
          'signature-wrong',
        ],
      ),
    ),
    ['accepts upper-case hex', auth, delivery({ 'x-signature': hex.toUpperCase() }), 'ok'],
    ['accepts a prefix', { ...auth, prefix: 'sha256=' }, delivery({ 'x-signature': `sha256=${hex}` }), 'ok'],
    [
      'accepts base64 of SHA-512',
      { ...auth, algorithm: 'sha512', encoding: 'base64' },
      delivery({ 'x-signature': mac('sha512').digest('base64') }),
      'ok',
    ],
    ['accepts SHA-1', { ...auth, algorithm: 'sha1' }, delivery({ 'x-signature': mac('sha1').digest('hex') }), 'ok'],
    [
      'accepts either key',
      { ...auth, secret: ['the new key of this sender', 'the key of this one sender'] },
      delivery({ 'x-signature': hex }),
      'ok',
    ],
    ['accepts a signed time', authWithTime, eventAt(seconds), 'ok'],
    [
      'accepts signed text in the sender’s format',
      { ...auth, timestamp: { header: 'X-Time', signed: 'v0:{timestamp}:{body}' } },
      eventAt(seconds, `v0:${seconds}:${body}`),
      'ok',
    ],
    [
      'accepts signed text that continues after the body',
      { ...auth, timestamp: { header: 'X-Time', signed: '{body}@{timestamp}' } },
      eventAt(seconds, `${body}@${seconds}`),
      'ok',
    ],
    [
      'accepts a time in ISO format',
      { ...auth, timestamp: { header: 'X-Time', format: 'iso' } },
      eventAt('2026-11-21T13:02:00+01:00'),
      'ok',
    ],
    [
      'refuses another key',
      { ...auth, secret: 'the key of another sender' },
      delivery({ 'x-signature': hex }),
      'signature-wrong',
    ],
    ['refuses a changed body', auth, delivery({ 'x-signature': hex }, { body: Buffer.from('{}') }), 'signature-wrong'],
    ['refuses another algorithm', { ...auth, algorithm: 'sha1' }, delivery({ 'x-signature': hex }), 'signature-wrong'],
    [
      'refuses a prefix that is missing',
      { ...auth, prefix: 'sha256=' },
      delivery({ 'x-signature': hex }),
      'signature-wrong',
    ],
    [
      'refuses another prefix',
      { ...auth, prefix: 'sha256=' },
      delivery({ 'x-signature': `sha512=${hex}` }),
      'signature-wrong',
    ],
    ['refuses half a signature', auth, delivery({ 'x-signature': hex.slice(0, 32) }), 'signature-wrong'],
    ['refuses invalid hex', auth, delivery({ 'x-signature': 'zz' }), 'signature-wrong'],
    ['needs its own header', auth, delivery({ 'x-other': hex }), 'signature-missing'],
    ['refuses a replay', authWithTime, eventAt(String(now.getTime() / 1_000 - 301)), 'timestamp-outside-tolerance'],
    [
      'refuses a replay with a new time on it',
      authWithTime,
      delivery({ ...eventAt(String(now.getTime() / 1_000 - 301)).headers, 'x-time': seconds }),
      'signature-wrong',
    ],
    ['needs the time', authWithTime, delivery({ 'x-signature': hex }), 'timestamp-missing'],
    [
      'refuses a time in another format',
      { ...auth, timestamp: { header: 'X-Time', format: 'epoch-ms' } },
      eventAt(seconds),
      'timestamp-outside-tolerance',
    ],
  ])
})

describe('secrets sent in plain text', () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const [t1, t2] = ['token-one'.repeat(3), 'token-two'.repeat(3)]
  const bearer = { type: 'bearer', secret: [t1, t2] }
  const user = { type: 'basic', user: 'moodle', password: 'pä:ss'.padEnd(24, '!') }
  const inBody = { type: 'body', pointer: '/token', secret: 'body-secret-of-24-letters' }

  testRows([
    ['a bearer token is accepted', bearer, delivery({ authorization: `Bearer ${t2}` }), 'ok'],
    ['the scheme of a bearer token may be in any case', bearer, delivery({ authorization: `bearer  ${t1}` }), 'ok'],
    ...[`x Bearer ${t1}`, `Bearer ${t1} x`].map(
      (authorization): Row => [
        `a header with something else in it is refused: ${authorization}`,
        bearer,
        delivery({ authorization }),
        'credentials-missing',
      ],
    ),
    ['another token is refused', bearer, delivery({ authorization: `Bearer ${t1}3` }), 'credentials-wrong'],
    [
      'the beginning of a token is refused',
      bearer,
      delivery({ authorization: `Bearer ${t1.slice(0, -1)}` }),
      'credentials-wrong',
    ],
    ['a token in another header does not count', bearer, delivery({ 'x-token': t1 }), 'credentials-missing'],
    [
      'a token in another scheme does not count',
      bearer,
      delivery({ authorization: `Basic ${t1}` }),
      'credentials-missing',
    ],
    ['user and password are accepted', user, delivery(basic(`moodle:${user.password}`)), 'ok'],
    ['another password is refused', user, delivery(basic('moodle:pass')), 'credentials-wrong'],
    ['another user is refused', user, delivery(basic(`root:${user.password}`)), 'credentials-wrong'],
    ['no credentials are refused', user, delivery({}), 'credentials-missing'],
    ['a secret in the body is accepted', inBody, delivery({}), 'ok'],
    ['another secret is refused', { ...inBody, secret: 'x'.repeat(24) }, delivery({}), 'credentials-wrong'],
    ['a body without a secret is refused', { ...inBody, pointer: '/no' }, delivery({}), 'credentials-missing'],
    ['a body that is not JSON is refused', inBody, delivery({}, { body: Buffer.from('token=x') }), 'body-unreadable'],
    [
      'a number is not the secret',
      { ...inBody, secret: '7'.repeat(24) },
      delivery({}, { body: Buffer.from(`{"token":${'7'.repeat(24)}}`) }),
      'credentials-missing',
    ],
  ])
})

describe('an address alone', () => {
  const from = (remoteAddress: string) => delivery({}, { remoteAddress })
  const none = { type: 'none', allow: ['192.0.2.7', '198.51.100.0/24', '2001:db8::/32', 'fe80::/10'] }

  testRows([
    ['is accepted if it is listed', none, from('192.0.2.7'), 'ok'],
    ['is accepted if its network is listed', none, from('198.51.100.200'), 'ok'],
    ['is accepted as IPv6', none, from('2001:db8:1::9'), 'ok'],
    ['is accepted as IPv4-mapped IPv6', none, from('::ffff:192.0.2.7'), 'ok'],
    ['is accepted with a zone', none, from('fe80::1%eth0'), 'ok'],
    ['is refused if it is not listed', none, from('192.0.2.8'), 'address-not-allowed'],
    ['is refused if it is in another network', none, from('::ffff:198.51.101.1'), 'address-not-allowed'],
    ['is refused as an unlisted IPv6 address', none, from('2001:db9::1'), 'address-not-allowed'],
    ['is refused if it is not an IP address', none, from('lms.example.org'), 'address-not-allowed'],
  ])
})

test.each<[string, object, Record<string, string>, string]>([
  ['a wrong token', { type: 'bearer', secret: 'token-one'.repeat(3) }, { authorization: 'Bearer x' }, 'refused'],
  [
    'a correct token',
    { type: 'bearer', secret: 'x'.repeat(24) },
    { authorization: `Bearer ${'x'.repeat(24)}` },
    'proven',
  ],
  ['a password', { type: 'basic', user: 'u', password: 'x'.repeat(24) }, {}, 'refused'],
  ['an address', { type: 'none', allow: ['192.0.2.8'] }, {}, 'refused'],
  ['a missing header', { type: 'hmac', header: 'X-S', secret: 'x'.repeat(24) }, {}, 'refused'],
  ['a signature', { type: 'hmac', header: 'X-S', secret: 'x'.repeat(24) }, { 'x-s': 'ab' }, 'open'],
  ['a secret in the body', { type: 'body', pointer: '/token', secret: 'x'.repeat(24) }, {}, 'open'],
])('the result of the check of the headers is correct for %s', (_, given, headers, expected) => {
  expect(checkHeaders(settings(given), delivery(headers), now).kind).toBe(expected)
})

test('a secret in the body is removed from the payload, and numbers keep all digits', async () => {
  const sent = Buffer.from('{"a":{"token":"planted-planted-planted-1","id":21070000000000001},"token":1}')
  const inBody = settings({ type: 'body', pointer: '/a/token', secret: 'planted-planted-planted-1' })
  const verdict = await authenticate(inBody, delivery({}, { body: sent }), now, keySets)
  expect(verdict.ok && verdict.body.toString()).toBe('{"a":{"id":"21070000000000001"},"token":1}')
})

test('the payload of an accepted event is its body, byte for byte', async () => {
  const verdict = await authenticate(settings({ type: 'none', allow: ['192.0.2.7'] }), delivery({}), now, keySets)
  expect(verdict).toEqual({ ok: true, body })
})

function withPrefixedSignature(headers: Record<string, string>, text: string): Record<string, string> {
  return { ...headers, 'webhook-signature': `${text}${headers['webhook-signature']}` }
}
