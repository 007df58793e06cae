// The target kind that sends signed events to a customer's own system over the network (Standard Webhooks).

import { z } from 'zod'
import type { DueDelivery } from '#src/extensions/lms/ledger/deliveries.ts'
import { isSuccessStatus, parseRetryAfter } from '#src/platform/retry-after.ts'
import { Secret } from '#src/platform/secret.ts'
import { isStandardSecret, notStandardSecret, signStandardWebhook } from '#src/platform/sign-standard-webhook.ts'
import { deliveryFailure } from './delivery-failure.ts'
import { defineTarget, digest, type TargetTools } from './target-kind.ts'

/** How long to wait for a response. The standard suggests 15 to 30 seconds. */
const timeoutMs = 15_000

export const webhook = defineTarget({
  to: 'webhook',
  settings: z
    .strictObject({
      to: z.literal('webhook').describe('Signed events (Standard Webhooks).'),
      url: z.url({ protocol: /^https?$/ }).describe('The URL to which the events are posted.'),
      secret: z
        .string()
        .refine(isStandardSecret, notStandardSecret)
        .describe('The secret that signs them (whsec_ and at least 24 characters), preferably from the environment.'),
    })
    .describe('Signed events to a system of your own.'),
  system: null,
  address: 'url',
  showsOne: false,
  // A little over three days, as Standard Webhooks suggests.
  maxTries: 22,
  name: ({ url }) => `webhook ${new URL(url).host} ${digest(url)}`,
  describe: () => 'a url',
  // An event is sent once, with the data that is available at that time.
  propertiesToShow: () => [],
  async deliver({ send, clock, environment }, { url, secret }, due) {
    const body = JSON.stringify(outgoingEvent(due, environment))
    // The same id for every try of one event, and a different one for each state of the credential.
    const id = `credsync_${due.issuanceId}_${due.wanted}_${due.since.getTime()}`
    const signed = signStandardWebhook({ id, at: clock.now(), body, secret: new Secret(secret) })
    const headers = { 'content-type': 'application/json', ...signed }
    const response = await send({ method: 'POST', url, headers, body, deadlineMs: timeoutMs })
    // A redirect is a failure: events are sent only to URLs in the settings.
    const status = response.kind === 'answer' ? response.status : null
    if (status !== null && isSuccessStatus(status)) return { kind: 'verified' }
    const { host } = new URL(url)
    const seen = response.kind === 'answer' ? `HTTP ${response.status}` : response.code
    if (status === 410)
      return deliveryFailure(
        'record',
        `${host} no longer accepts events (${seen}), so none are sent: reconfigure it to accept events again.`,
        { isGone: true },
      )
    const retryAfter = response.kind === 'answer' ? response.headers['retry-after'] : undefined
    const retryAfterMs = parseRetryAfter(retryAfter, clock.now())
    return deliveryFailure('away', `${host} did not accept an event (${seen}).`, { retryAfterMs })
  },
})

/**
 * Returns the event of an outcome, in the envelope of Standard Webhooks. It contains only ids: a receiver that needs a
 * name or an e-mail address finds it in the system that the learner comes from. Members may be added over time, but
 * never changed; docs/events.md lists them. JSON.stringify omits those that are undefined.
 */
export function outgoingEvent(due: DueDelivery, environment: TargetTools['environment']) {
  const { wanted, completion } = due
  const hasCredential = wanted === 'issued' || wanted === 'revoked'
  return {
    type: `credential.${wanted}`,
    timestamp: due.since.toISOString(),
    data: {
      environment,
      pipeline: due.pipeline,
      issuance: `i${due.issuanceId}`,
      learner: completion ? { id: completion.learner } : undefined,
      course: completion?.course,
      completedAt: completion?.completedAt.toISOString(),
      credentialId: hasCredential ? (due.credentialId ?? '') : undefined,
      link: wanted === 'issued' ? (due.verifierLink ?? undefined) : undefined,
      reason: hasCredential ? undefined : { code: wanted, sentence: due.reason ?? '' },
    },
  }
}
