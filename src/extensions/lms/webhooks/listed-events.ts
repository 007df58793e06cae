// Finds the events in one body, which may be a single event or contain several. Pure.

import { valueAt } from '#src/platform/json-pointer.ts'
import type { EventMap } from './event-map-settings.ts'

/**
 * Returns the events in order; null when the settings name locations of a list, and there is no value at any of them.
 */
export function eventsIn(settings: Pick<EventMap, 'list'>, body: unknown): unknown[] | null {
  if (!settings.list) return [body]
  for (const pointer of settings.list) {
    const found = valueAt(body, pointer)
    if (Array.isArray(found)) return found
    if (typeof found === 'object' && found !== null) return [found]
  }
  return null
}
