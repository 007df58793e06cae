// Who may deliver, scheme by scheme: the genuine delivery, and every way in which it is none.

import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { type EventAuth, eventAuthSchema } from '#config/event-auth-settings.ts'
import { createAuthenticator } from '#src/events/authenticate.ts'
import type { Delivery } from '#src/events/delivery.ts'

const now = new Date('2026-11-21T12:00:00Z')
const body = Buffer.from('{"learner":"Zoë","token":"body-secret"}')
const authenticate = createAuthenticator(() => Promise.reject(new Error('no keys are needed here')))
const settings = (given: object): EventAuth => eventAuthSchema.parse(given)
const delivery = (headers: Record<string, string>, more: Partial<Delivery> = {}): Delivery => ({
  headers,
  body,
  remoteAddress: '192.0.2.7',
  ...more,
})

type Row = [what: string, settings: object, delivery: Delivery, expected: string]
const judge = async (given: object, one: Delivery) => {
  const verdict = await authenticate(settings(given), one, now)
  return verdict.ok ? 'ok' : verdict.why
}
const table = (rows: Row[]) =>
  test.each(rows)('%s', async (_, given, one, expected) => {
    expect(await judge(given, one)).toBe(expected)
  })

describe('Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKY'
  const other = 'whsec_b3RoZXItc2VjcmV0LW9mLXR3ZW50eS1mb3VyLWJ5dGVz'
  const auth = { type: 'standard-webhooks', secret }
  // Signed by the standard's own library, so that both sides are not wrong alike.
  const signed = (at = now, keys = [secret], text = body.toString()) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': keys.map((key) => new Webhook(key).sign('msg_1', at, text)).join(' '),
  })
  const at = (offset: number) => new Date(now.getTime() + offset)
  const without = (name: string) => Object.fromEntries(Object.entries(signed()).filter(([each]) => each !== name))

  table([
    ['takes what is genuine', auth, delivery(signed()), 'ok'],
    ['takes it whatever the case of the headers', auth, delivery(upper(signed())), 'ok'],
    ['takes a secret without its prefix', { ...auth, secret: secret.slice(6) }, delivery(signed()), 'ok'],
    ['takes one good signature among several', auth, delivery(signed(now, [other, secret])), 'ok'],
    ['takes either secret while one is changed', { ...auth, secret: [other, secret] }, delivery(signed()), 'ok'],
    ['looks past signatures of other kinds', auth, delivery(prefixed(signed(), 'v1a,AAAA ')), 'ok'],
    ['takes 5 minutes of age', auth, delivery(signed(at(-300_000))), 'ok'],
    ['takes 5 minutes of haste', auth, delivery(signed(at(300_000))), 'ok'],
    ['refuses a replay', auth, delivery(signed(at(-301_000))), 'timestamp-outside-tolerance'],
    ['refuses the future', auth, delivery(signed(at(301_000))), 'timestamp-outside-tolerance'],
    [
      'refuses a replay with a new time on it',
      auth,
      delivery({ ...signed(at(-301_000)), 'webhook-timestamp': signed()['webhook-timestamp'] }),
      'signature-wrong',
    ],
    ['refuses another id', auth, delivery({ ...signed(), 'webhook-id': 'msg_2' }), 'signature-wrong'],
    ['refuses another secret', { ...auth, secret: other }, delivery(signed()), 'signature-wrong'],
    ['refuses a changed body', auth, delivery(signed(), { body: Buffer.from('{}') }), 'signature-wrong'],
    [
      'refuses broken UTF-8 in the place of its replacement',
      auth,
      delivery(signed(now, [secret], '\uFFFD'), { body: Buffer.from([0xff]) }),
      'signature-wrong',
    ],
    ['needs the id', auth, delivery(without('webhook-id')), 'signature-missing'],
    ['needs the time', auth, delivery(without('webhook-timestamp')), 'timestamp-missing'],
    ['needs the signature', auth, delivery(without('webhook-signature')), 'signature-missing'],
    ['needs a time that is one', auth, delivery({ ...signed(), 'webhook-timestamp': '1e9' }), 'timestamp-unreadable'],
    [
      'needs a signature of its kind',
      auth,
      delivery({ ...signed(), 'webhook-signature': 'v2,AA' }),
      'signature-missing',
    ],
  ])
})

describe('an HMAC in a header', () => {
  const auth = { type: 'hmac', header: 'X-Signature', secret: 'the key' }
  const mac = (algorithm: string, text: string | Buffer = body, key = 'the key') =>
    createHmac(algorithm, key).update(text)
  const hex = mac('sha256').digest('hex')
  const seconds = String(now.getTime() / 1_000)
  const timed = { ...auth, timestamp: { header: 'X-Time' } }
  const stamped = (time: string, text = `${time}.${body}`) =>
    delivery({ 'x-time': time, 'x-signature': mac('sha256', text).digest('hex') })

  table([
    ['takes hex of SHA-256', auth, delivery({ 'x-signature': hex }), 'ok'],
    ['takes large letters in hex', auth, delivery({ 'x-signature': hex.toUpperCase() }), 'ok'],
    ['takes a prefix', { ...auth, prefix: 'sha256=' }, delivery({ 'X-Signature': `sha256=${hex}` }), 'ok'],
    [
      'takes base64 of SHA-512',
      { ...auth, algorithm: 'sha512', encoding: 'base64' },
      delivery({ 'x-signature': mac('sha512').digest('base64') }),
      'ok',
    ],
    ['takes SHA-1', { ...auth, algorithm: 'sha1' }, delivery({ 'x-signature': mac('sha1').digest('hex') }), 'ok'],
    ['takes either key', { ...auth, secret: ['new', 'the key'] }, delivery({ 'x-signature': hex }), 'ok'],
    ['takes a signed time', timed, stamped(seconds), 'ok'],
    [
      'takes a text of the sender’s shape',
      { ...auth, timestamp: { header: 'X-Time', signed: 'v0:{timestamp}:{body}' } },
      stamped(seconds, `v0:${seconds}:${body}`),
      'ok',
    ],
    [
      'takes a text that goes on behind the body',
      { ...auth, timestamp: { header: 'X-Time', signed: '{body}@{timestamp}' } },
      stamped(seconds, `${body}@${seconds}`),
      'ok',
    ],
    [
      'takes a time in ISO',
      { ...auth, timestamp: { header: 'X-Time', format: 'iso' } },
      stamped('2026-11-21T13:02:00+01:00'),
      'ok',
    ],
    ['refuses another key', { ...auth, secret: 'other' }, delivery({ 'x-signature': hex }), 'signature-wrong'],
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
    ['refuses what is no hex', auth, delivery({ 'x-signature': 'zz' }), 'signature-wrong'],
    ['needs its own header', auth, delivery({ 'x-other': hex }), 'signature-missing'],
    ['refuses a replay', timed, stamped(String(now.getTime() / 1_000 - 301)), 'timestamp-outside-tolerance'],
    [
      'refuses a replay with a new time on it',
      timed,
      delivery({ ...stamped(String(now.getTime() / 1_000 - 301)).headers, 'x-time': seconds }),
      'signature-wrong',
    ],
    ['needs the time', timed, delivery({ 'x-signature': hex }), 'timestamp-missing'],
    [
      'refuses a time of the other format',
      { ...auth, timestamp: { header: 'X-Time', format: 'epoch-ms' } },
      stamped(seconds),
      'timestamp-outside-tolerance',
    ],
  ])
})

describe('secrets that are shown', () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const bearer = { type: 'bearer', secret: ['t1', 't2'] }
  const user = { type: 'basic', user: 'moodle', password: 'pä:ss' }
  const inBody = { type: 'body', pointer: '/token', secret: 'body-secret' }

  table([
    ['a bearer token is taken', bearer, delivery({ authorization: 'Bearer t2' }), 'ok'],
    ['its scheme may be in any case', bearer, delivery({ Authorization: 'bearer  t1' }), 'ok'],
    ['another token is refused', bearer, delivery({ authorization: 'Bearer t3' }), 'credentials-wrong'],
    ['the beginning of a token is refused', bearer, delivery({ authorization: 'Bearer t' }), 'credentials-wrong'],
    ['a token in another header does not count', bearer, delivery({ 'x-token': 't1' }), 'credentials-missing'],
    [
      'a token in another scheme does not count',
      bearer,
      delivery({ authorization: 'Basic t1' }),
      'credentials-missing',
    ],
    ['user and password are taken', user, delivery(basic('moodle:pä:ss')), 'ok'],
    ['another password is refused', user, delivery(basic('moodle:pass')), 'credentials-wrong'],
    ['another user is refused', user, delivery(basic('root:pä:ss')), 'credentials-wrong'],
    ['nothing is refused', user, delivery({}), 'credentials-missing'],
    ['a secret in the body is taken', inBody, delivery({}), 'ok'],
    ['another one is refused', { ...inBody, secret: 'x' }, delivery({}), 'credentials-wrong'],
    ['a body without one is refused', { ...inBody, pointer: '/no' }, delivery({}), 'credentials-missing'],
    ['a body that is no JSON is refused', inBody, delivery({}, { body: Buffer.from('token=x') }), 'body-unreadable'],
    [
      'a number is not the secret',
      { ...inBody, secret: '7' },
      delivery({}, { body: Buffer.from('{"token":7}') }),
      'credentials-missing',
    ],
  ])
})

describe('an address alone', () => {
  const from = (remoteAddress: string) => delivery({}, { remoteAddress })
  const none = { type: 'none', allow: ['192.0.2.7', '198.51.100.0/24', '2001:db8::/32', 'fe80::/10'] }

  table([
    ['is taken when it is named', none, from('192.0.2.7'), 'ok'],
    ['is taken out of a network', none, from('198.51.100.200'), 'ok'],
    ['is taken as IPv6', none, from('2001:db8:1::9'), 'ok'],
    ['is taken as IPv4 in IPv6', none, from('::ffff:192.0.2.7'), 'ok'],
    ['is taken with its zone', none, from('fe80::1%eth0'), 'ok'],
    ['is refused beside it', none, from('192.0.2.8'), 'address-not-allowed'],
    ['is refused out of another network', none, from('::ffff:198.51.101.1'), 'address-not-allowed'],
    ['is refused as another IPv6', none, from('2001:db9::1'), 'address-not-allowed'],
    ['is refused when it is none', none, from('lms.example.org'), 'address-not-allowed'],
  ])
})

test('a secret in the body is taken out of the payload, and no digit with it', async () => {
  const sent = Buffer.from('{"a":{"token":"planted","id":21070000000000001},"token":1}')
  const inBody = settings({ type: 'body', pointer: '/a/token', secret: 'planted' })
  const verdict = await authenticate(inBody, delivery({}, { body: sent }), now)
  expect(verdict.ok && verdict.body.toString()).toBe('{"a":{"id":"21070000000000001"},"token":1}')
})

test('the payload of a delivery that is taken is its body, byte for byte', async () => {
  const verdict = await authenticate(settings({ type: 'none', allow: ['192.0.2.7'] }), delivery({}), now)
  expect(verdict).toEqual({ ok: true, body })
})

function upper(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
}

function prefixed(headers: Record<string, string>, text: string): Record<string, string> {
  return { ...headers, 'webhook-signature': `${text}${headers['webhook-signature']}` }
}
