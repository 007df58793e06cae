// Where a setting points in an event that may be one of several in a body.

import { valueAt } from '#src/json/json-pointer.ts'

/** The value at a JSON Pointer: with # in front it counts from `body`, else from `event`; undefined when nothing stands there. */
export function valueIn(event: unknown, body: unknown, pointer: string): unknown {
  return pointer.startsWith('#') ? valueAt(body, pointer.slice(1)) : valueAt(event, pointer)
}
