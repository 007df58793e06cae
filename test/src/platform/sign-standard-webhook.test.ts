// Signs outgoing events: the standard's own example, and receivers that verify the signature.

import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { authenticate } from '#src/extensions/lms/webhooks/authenticate.ts'
import { eventAuthSchema } from '#src/extensions/lms/webhooks/event-auth-settings.ts'
import { createKeySets } from '#src/extensions/lms/webhooks/key-sets.ts'
import { Secret } from '#src/platform/secret.ts'
import { signStandardWebhook } from '#src/platform/sign-standard-webhook.ts'

const [oldSecret, currentSecret] = [
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'whsec_Y3VycmVudC1zZWNyZXQtb2YtMjQtYnl0ZXMh',
]

test('the signature equals that in the example of the standard’s libraries', () => {
  const headers = signStandardWebhook({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1614265330_000),
    body: '{"test": 2432232314}',
    secret: new Secret(oldSecret ?? ''),
  })
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test.each([oldSecret, currentSecret])(
  'an event is signed with both secrets during a rotation, and a receiver with either accepts it',
  async (receiverSecret) => {
    const at = new Date('2026-11-21T12:00:00.900Z')
    const body = '{"name":"Zoë"}'
    const secret = [new Secret(oldSecret ?? ''), new Secret(currentSecret ?? '')]
    const headers = signStandardWebhook({ id: 'e-1', at, body, secret })
    const keySets = createKeySets(() => Promise.reject(new Error('no keys are needed here')))
    const settings = eventAuthSchema.parse({ type: 'standard-webhooks', secret: receiverSecret })
    const event = { headers, body: Buffer.from(body), remoteAddress: '' }
    const verdict = await authenticate(settings, event, at, keySets)
    expect(verdict.ok).toBe(true)
    const key = Buffer.from((receiverSecret ?? '').slice(6), 'base64')
    const expected = createHmac('sha256', key).update(`e-1.${headers['webhook-timestamp']}.${body}`).digest('base64')
    expect(headers['webhook-signature']?.split(' ')).toContain(`v1,${expected}`)
  },
)

test.each(['a.b', '', 'a b', 'a\nb'])('the id %j is refused, because it could shift the signed content', (id) => {
  const sign = () => signStandardWebhook({ id, at: new Date(0), body: '', secret: new Secret(oldSecret ?? '') })
  expect(sign).toThrow('letters, digits')
})
