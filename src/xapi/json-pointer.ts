// Finds a value inside another by a JSON Pointer (RFC 6901).

import { isObject, type Json } from './json.ts'

/** The value that the pointer names; undefined when there is none or the pointer is not one. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  if (pointer === '') return value
  if (!pointer.startsWith('/')) return undefined
  const keys = pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce<Json | undefined>((found, key) => entryOf(found, key), value)
}

function entryOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
