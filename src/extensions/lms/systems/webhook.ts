// The system kind for a system that posts JSON events to /events/NAME. Its endpoint authenticates events and stores
// them in the database.

import { z } from 'zod'
import { authenticate } from '#src/extensions/lms/webhooks/authenticate.ts'
import { checkHeaders } from '#src/extensions/lms/webhooks/check-headers.ts'
import { eventAuthSchema } from '#src/extensions/lms/webhooks/event-auth-settings.ts'
import { parseEventBody } from '#src/extensions/lms/webhooks/event-body.ts'
import { eventMapSchema } from '#src/extensions/lms/webhooks/event-map-settings.ts'
import { inboundKey } from '#src/extensions/lms/webhooks/inbound-key.ts'
import { mapEvents } from '#src/extensions/lms/webhooks/map-events.ts'
import { endpointFinding, inboundSettings } from './endpoint-check.ts'
import type {
  EndpointAnswer,
  EndpointHead,
  EndpointParts,
  EventContents,
  InboundEndpoint,
  InboundSystem,
} from './inbound-system.ts'
import { defineSystem } from './system-kind.ts'

const settings = z
  .strictObject({
    type: z.literal('webhook').describe('A system that posts JSON to /events/NAME.'),
    auth: eventAuthSchema,
    map: eventMapSchema,
    ...inboundSettings,
  })
  .describe('A system that sends events.')

type WebhookSettings = z.infer<typeof settings>

export const webhookSystem = defineSystem<typeof settings, never>({
  type: 'webhook',
  settings,
  columns: ({ map }) => [...Object.keys(map.learner), 'course', 'completed', ...Object.keys(map.fields)],
  receive,
  check(context, { auth, confirm }) {
    const noProxyNotice =
      "behind a proxy, `allow` is compared with the proxy's address instead of the sender's: list the proxy in web.trustedProxies"
    const lacksTrustedProxy = auth.type === 'none' && context.web.trustedProxies.length === 0
    return [
      endpointFinding(context, { path: pathOf(context.system), confirm }, lacksTrustedProxy ? [noProxyNotice] : []),
    ]
  },
})

const pathOf = (name: string) => `/events/${name}`

function receive(name: string, systemSettings: WebhookSettings): InboundSystem {
  return {
    name,
    confirm: systemSettings.confirm ?? null,
    retentionDays: systemSettings.retentionDays,
    mapping: systemSettings.map,
    read: (event) => readEvents(systemSettings, event),
    open: (parts) => openEndpoint(name, systemSettings, parts),
  }
}

function readEvents({ map }: WebhookSettings, { body, arrivedAt }: { body: Buffer; arrivedAt: Date }): EventContents {
  const parsed = parseEventBody(body)
  if (!parsed.ok) return { hints: [], problem: parsed.why }
  const { events, unreadable } = mapEvents(map, parsed.value, arrivedAt)
  const [first] = unreadable
  if (first === undefined) return { hints: events, problem: null }
  const more = unreadable.length > 1 ? ` (${unreadable.length} events of this body)` : ''
  return { hints: events, problem: `${first}${more}` }
}

/** The names of the headers that are stored with an event. None of these headers contains a secret or a signature. */
const keptHeaders = ['content-type', 'user-agent', 'webhook-id', 'ce-id', 'ce-source', 'ce-type']
/** After how many seconds a sender should retry if its public keys could not be fetched. */
const retryAfterS = 5

function openEndpoint(name: string, { auth, map, maxBytes }: WebhookSettings, parts: EndpointParts): InboundEndpoint {
  const { inboundEvents, keySets, clock, onStored } = parts
  const unauthorized = (why: string): EndpointAnswer => ({
    status: 401,
    headers: {},
    body: { error: why },
    failedLogin: why,
  })
  return {
    path: pathOf(name),
    methods: 'POST',
    maxBytes,
    checkHead(head: EndpointHead) {
      const verdict = checkHeaders(auth, head, clock.now())
      return verdict.kind === 'refused' ? { kind: 'refused', answer: unauthorized(verdict.why) } : verdict
    },
    async handle({ headers, body, remoteAddress, markAuthenticated }) {
      const verdict = await authenticate(auth, { headers, body, remoteAddress }, clock.now(), keySets)
      if (!verdict.ok && verdict.why === 'keys-unavailable')
        return { status: 503, headers: { 'retry-after': String(retryAfterS) }, body: { error: verdict.why } }
      if (!verdict.ok) return unauthorized(verdict.why)
      markAuthenticated()
      const key = inboundKey(map, auth.type, headers, verdict.body)
      const storedHeaders = Object.fromEntries(
        Object.entries(headers).filter(([header]) => keptHeaders.includes(header)),
      )
      const newCount = await inboundEvents.keep([{ system: name, key, headers: storedHeaders, body: verdict.body }])
      if (newCount > 0) onStored()
      return { status: 200, headers: {}, body: { stored: newCount > 0 } }
    },
  }
}
