// One key for a delivery however often it is sent: an id that its sender gave it, else its content.

import { createHash } from 'node:crypto'
import type { EventMap } from '#config/event-map-settings.ts'
import { removeAt, valueAt } from '#src/json/json-pointer.ts'
import { canonicalJson } from './canonical-json.ts'
import { type Delivery, headerOf } from './delivery.ts'
import { parseEventBody } from './event-body.ts'
import { idText } from './event-text.ts'
import { eventsIn } from './listed-events.ts'

/** xAPI's registration and stored and Caliper's sendTime: seen to change when the same event is sent again. */
const alwaysVolatile = ['/context/registration', '/stored', '/sendTime']

/**
 * Hex SHA-256, to be kept unique for each source. It tells exact repeats only; that nobody is issued twice is kept by the learner, the
 * course and the time of completion. What the settings name comes first, because a body that is signed cannot be changed by whoever
 * replays it, while headers often can; then webhook-id (Standard Webhooks), source and id (CloudEvents 1.0, both modes),
 * event_metadata.id (Open edX), and the body without its volatile members.
 */
export function deliveryKey(settings: EventMap, headers: Delivery['headers'], body: Buffer): string {
  const parsed = parseEventBody(body)
  if (!parsed.ok) return givenId(headers) ?? keyOf('bytes', createHash('sha256').update(body).digest('hex'))
  const named = settings.deliveryId ?? (settings.list ? undefined : settings.id)?.replace(/^#/, '')
  const id = named === undefined ? undefined : idText(valueAt(parsed.value, named))
  if (id !== undefined) return keyOf('named', id)
  return givenId(headers) ?? idInside(parsed.value) ?? keyOf('content', steadyContent(settings, parsed.value))
}

function givenId(headers: Delivery['headers']): string | null {
  const webhookId = headerOf(headers, 'webhook-id')
  if (webhookId !== undefined) return keyOf('webhook', webhookId)
  const [id, source] = [headerOf(headers, 'ce-id'), headerOf(headers, 'ce-source')]
  return id === undefined || source === undefined ? null : keyOf('cloudevent', source, id)
}

function idInside(body: unknown): string | null {
  const [version, source, id] = ['/specversion', '/source', '/id'].map((pointer) => valueAt(body, pointer))
  if (typeof version === 'string' && typeof source === 'string' && typeof id === 'string' && source && id)
    return keyOf('cloudevent', source, id)
  const edx = valueAt(body, '/event_metadata/id')
  return typeof edx === 'string' && edx !== '' ? keyOf('edx', edx) : null
}

function steadyContent(settings: EventMap, body: unknown): string {
  const copy = structuredClone(body)
  const places = new Set([copy, ...(Array.isArray(copy) ? copy : []), ...(eventsIn(settings, copy) ?? [])])
  for (const place of places) for (const pointer of [...alwaysVolatile, ...settings.volatile]) removeAt(place, pointer)
  return canonicalJson(copy)
}

/** As a JSON array, so that no two lists of parts make one text. */
function keyOf(kind: string, ...parts: string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['credsync delivery 1', kind, ...parts]))
    .digest('hex')
}
