// The events inside of one body: it may be one, or hold several.

import type { EventMap } from '#config/event-map-settings.ts'
import { valueAt } from '#src/json/json-pointer.ts'

/** The events in order; null when the settings name places of a list, and nothing stands at any of them. */
export function eventsIn(settings: Pick<EventMap, 'list'>, body: unknown): unknown[] | null {
  if (!settings.list) return [body]
  for (const pointer of settings.list) {
    const found = valueAt(body, pointer)
    if (Array.isArray(found)) return found
    if (typeof found === 'object' && found !== null) return [found]
  }
  return null
}
