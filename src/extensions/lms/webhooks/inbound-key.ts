// Computes the deduplication key of an event, which is the same each time the event is sent: from the sender's id for
// the event, or otherwise from its content. Pure.

import { createHash } from 'node:crypto'
import { removeAt, valueAt } from '#src/platform/json-pointer.ts'
import { canonicalJson } from '#src/platform/text.ts'
import type { EventAuth } from './event-auth-settings.ts'
import { parseEventBody } from './event-body.ts'
import type { EventMap } from './event-map-settings.ts'
import { idText } from './event-text.ts'
import { headerOf, type InboundRequest } from './inbound-request.ts'
import { eventsIn } from './map-events.ts'

/**
 * Members that were observed to change when the same event is sent again: `registration` and `stored` of xAPI, and
 * `sendTime` of Caliper.
 */
const alwaysVolatile = ['/context/registration', '/stored', '/sendTime']

/**
 * Returns a SHA-256 hash in hex, which is stored as unique for each source. It detects only exact repeats; learner,
 * course and time of completion ensure that no one gets two credentials. The key is computed from the first of these
 * that is present: the id that the settings name, webhook-id (Standard Webhooks), source and id (CloudEvents 1.0, both
 * modes), event_metadata.id (Open edX), and the body without its volatile members. An id in a header is used only if
 * authentication covers the header. Otherwise an attacker could replay an event under another id, or block an event by
 * guessing its id.
 */
export function inboundKey(
  settings: EventMap,
  auth: EventAuth['type'],
  headers: InboundRequest['headers'],
  body: Buffer,
): string {
  const parsed = parseEventBody(body)
  const inHeaders = idInHeaders(auth, headers)
  const content = () =>
    parsed.ok
      ? keyOf('content', stableContent(settings, parsed.value))
      : keyOf('bytes', createHash('sha256').update(body).digest('hex'))
  // With `none`, only the IP address is authenticated, and several senders may share it. The key then also covers the
  // content, so that no sender can block another's event by guessing its id.
  const headerKey = () => inHeaders && (auth === 'none' ? keyOf('given', ...inHeaders, content()) : keyOf(...inHeaders))
  if (!parsed.ok) return headerKey() ?? content()
  const idPointer = settings.deliveryId ?? (settings.list ? undefined : settings.id)?.replace(/^#/, '')
  const id = idPointer === undefined ? undefined : idText(valueAt(parsed.value, idPointer))
  if (id !== undefined) return keyOf('named', id)
  return headerKey() ?? idInBody(parsed.value) ?? content()
}

/**
 * Returns the id in the headers that authentication covers: Standard Webhooks signs only webhook-id, and other
 * signatures cover only the body.
 */
function idInHeaders(auth: EventAuth['type'], headers: InboundRequest['headers']): [string, ...string[]] | null {
  if (auth === 'hmac' || auth === 'jwt') return null
  const webhookId = headerOf(headers, 'webhook-id')
  if (webhookId !== undefined) return ['webhook', webhookId]
  const [id, source] = [headerOf(headers, 'ce-id'), headerOf(headers, 'ce-source')]
  return id === undefined || source === undefined || auth === 'standard-webhooks' ? null : ['cloudevent', source, id]
}

function idInBody(body: unknown): string | null {
  const [version, source, id] = ['/specversion', '/source', '/id'].map((pointer) => valueAt(body, pointer))
  if (typeof version === 'string' && typeof source === 'string' && typeof id === 'string' && source && id)
    return keyOf('cloudevent', source, id)
  const edxId = valueAt(body, '/event_metadata/id')
  return typeof edxId === 'string' && edxId !== '' ? keyOf('edx', edxId) : null
}

function stableContent(settings: EventMap, body: unknown): string {
  const copy = structuredClone(body)
  const roots = new Set([copy, ...(Array.isArray(copy) ? copy : []), ...(eventsIn(settings, copy) ?? [])])
  for (const root of roots) for (const pointer of [...alwaysVolatile, ...settings.volatile]) removeAt(root, pointer)
  return canonicalJson(copy)
}

/** Hashes the parts as a JSON array, so that two different lists of parts never produce the same text. */
function keyOf(kind: string, ...parts: string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['credsync delivery 1', kind, ...parts]))
    .digest('hex')
}
