// How long deliveries wait for a rate-limited target, and which properties of a credential count as missing.

import { expect, test } from 'vitest'
import { CanvasError } from '#src/extensions/lms/canvas/canvas-error.ts'
import type { DueDelivery } from '#src/extensions/lms/ledger/deliveries.ts'
import { LtiError } from '#src/extensions/lms/lti/lti-error.ts'
import { type DeliveryContext, deliverToTarget } from '#src/extensions/lms/sync/deliver-to-target.ts'
import type { LearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { targetsOf } from '#src/extensions/lms/sync/targets-of-pipeline.ts'
import { type CredentialProperty, missingOf } from '#src/extensions/lms/targets/credential-text.ts'
import { systemClock } from '#src/platform/time/clock.ts'

const due = {
  wanted: 'issued',
  tries: 0,
  completion: { system: 'campus', learner: '3', course: '7', completedAt: new Date(0) },
} as DueDelivery

test.each([
  ['an hour', 'an hour', 3_600_000, 3_600_000],
  ['thirty years', 'a day', 999_999_999_000, 24 * 3_600_000],
])('a delivery to a target that requests a wait of %s waits %s', async (_, __, retryAfterMs, waitMs) => {
  const write = () => Promise.reject(new CanvasError('away', 'Canvas asks for patience.', { retryAfterMs }))
  const learning = { client: () => ({ columns: { write } }) } as unknown as LearningSystems
  const settings = { to: 'canvas-columns' as const, system: 'campus', columns: {} }
  const [target] = targetsOf('spring', { writeBack: [settings], options: { publicLink: true } })
  const result = deliverToTarget({ learning, target } as unknown as DeliveryContext, due)
  expect(await result).toEqual({ kind: 'later', problem: 'Canvas asks for patience.', waitMs, away: true })
})

test.each([
  ['an hour', 3_600_000, 3_600_000],
  ['no wait', null, 30_000],
])(
  'a score that a platform postpones, asking for %s, waits that long, or for half a minute',
  async (_, afterMs, waitMs) => {
    const score = () => Promise.reject(new LtiError('away', 'The platform is busy.', { retryAfterMs: afterMs }))
    const learning = { client: () => ({ score }) } as unknown as LearningSystems
    const settings = { to: 'lti' as const, system: 'gradebook', lineItem: 'https://lms.example/1', score: 100 }
    const [target] = targetsOf('spring', { writeBack: [settings], options: {} })
    const context = { learning, target } as unknown as DeliveryContext
    const result = await deliverToTarget(context, {
      ...due,
      credentialId: 'c-1',
      verifierLink: null,
      since: new Date(0),
    })
    expect(result).toEqual({ kind: 'later', problem: 'The platform is busy.', waitMs, away: true })
  },
)

test.each([
  [20, { kind: 'later', problem: 'we.example did not accept an event (HTTP 500).' }],
  [21, { kind: 'failed', problem: expect.stringContaining('not retried after 22 tries') }],
])('an event that was not accepted after %i earlier tries is %j', async (tries, result) => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const settings = { to: 'webhook' as const, url: 'https://we.example/', secret }
  const [target] = targetsOf('spring', { writeBack: [settings], options: {} })
  const send = async () => ({ kind: 'answer', status: 500, headers: {}, text: '' })
  const context = { send, clock: systemClock, target } as unknown as DeliveryContext
  expect(await deliverToTarget(context, { ...due, since: new Date(0), tries })).toMatchObject(result)
})

test('a score whose pipeline requests a link is not delivered before the link exists', async () => {
  const client = () => {
    throw new Error('The client was called.')
  }
  const settings = { to: 'lti' as const, system: 'gradebook', lineItem: 'https://lms.example/1', score: 100 }
  const [target] = targetsOf('spring', { writeBack: [settings], options: { publicLink: true } })
  const context = { learning: { client }, target } as unknown as DeliveryContext
  expect(await deliverToTarget(context, { ...due, credentialId: 'c-1', verifierLink: null })).toMatchObject({
    kind: 'incomplete',
    problem: expect.stringMatching(/^The report shows no public link .* check in the portal/),
  })
})

test.each<[string, Partial<DueDelivery>, CredentialProperty[], CredentialProperty[]]>([
  ['a link', {}, ['credential', 'link', 'status'], ['link']],
  ['the issue date', {}, ['issued', 'expires'], ['issued']],
  ['no property that is not wanted', {}, ['credential', 'status', 'expires'], []],
  [
    'no property that is present',
    { verifierLink: 'https://v.example/1', issueDate: '2026-01-02' },
    ['link', 'issued'],
    [],
  ],
  ['no property of a revoked credential', { wanted: 'revoked' }, ['link'], []],
])('the missing properties of a credential include %s', (_, changes, wanted, missing) => {
  const credential = { credentialId: 'c-1', verifierLink: null, issueDate: null, validTill: null }
  expect(missingOf({ ...due, ...credential, ...changes }, wanted)).toEqual(missing)
})
