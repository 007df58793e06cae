// The signature of outgoing events: the standard's own example, and receivers that check it by themselves.

import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { eventAuthSchema } from '#config/event-auth-settings.ts'
import { createAuthenticator } from '#src/events/authenticate.ts'
import { signStandardWebhook } from '#src/events/sign-standard-webhook.ts'
import { Secret } from '#src/secret/secret.ts'

const [old, current] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_Y3VycmVudC1zZWNyZXQtb2YtMjQtYnl0ZXMh']

test('is that of the example which the libraries of the standard share', () => {
  const headers = signStandardWebhook({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1614265330_000),
    body: '{"test": 2432232314}',
    secret: new Secret(old ?? ''),
  })
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test.each([old, current])(
  'is made with both secrets while one is changed, and a receiver with either takes it',
  async (known) => {
    const at = new Date('2026-11-21T12:00:00.900Z')
    const body = '{"name":"Zoë"}'
    const secret = [new Secret(old ?? ''), new Secret(current ?? '')]
    const headers = signStandardWebhook({ id: 'e-1', at, body, secret })
    const authenticate = createAuthenticator(() => Promise.reject(new Error('no keys are needed here')))
    const settings = eventAuthSchema.parse({ type: 'standard-webhooks', secret: known })
    const verdict = await authenticate(settings, { headers, body: Buffer.from(body), remoteAddress: '' }, at)
    expect(verdict.ok).toBe(true)
    const key = Buffer.from((known ?? '').slice(6), 'base64')
    const expected = createHmac('sha256', key).update(`e-1.${headers['webhook-timestamp']}.${body}`).digest('base64')
    expect(headers['webhook-signature']?.split(' ')).toContain(`v1,${expected}`)
  },
)

test.each(['a.b', '', 'a b', 'a\nb'])('refuses the id %j, which could move what is signed', (id) => {
  const sign = () => signStandardWebhook({ id, at: new Date(0), body: '', secret: new Secret(old ?? '') })
  expect(sign).toThrow('letters, digits')
})
