// Resolves a pointer from the settings in an event, which may be one of several in a body. Pure.

import { valueAt } from '#src/platform/json-pointer.ts'

/**
 * Returns the value at a JSON Pointer, relative to `body` if the pointer begins with #, otherwise relative to `event`;
 * undefined when there is no value.
 */
export function valueIn(event: unknown, body: unknown, pointer: string): unknown {
  return pointer.startsWith('#') ? valueAt(body, pointer.slice(1)) : valueAt(event, pointer)
}
