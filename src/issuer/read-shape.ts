// Parses part of an answer with a zod schema, and reports where in the answer parsing failed. Pure.

import { z } from 'zod'
import { WireError } from './wire-error.ts'

/**
 * Parses `value` with `shape`.
 * @param valuePath the path of the value in the answer, such as `payload.data`
 * @throws WireError with endpoint and path, but without zod's messages, because only its codes are certain to contain
 * no value
 */
export function readShape<S extends z.ZodType>(
  shape: S,
  value: unknown,
  endpoint: string,
  valuePath: string,
): z.output<S> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  throw new WireError(
    endpoint,
    `${valuePath}${path}`.replace(/^\./, '') || '(whole answer)',
    issue?.code ?? 'unreadable',
  )
}

// The keys under which a payload contains its list; the payload may also be the list itself.
const listKeys = ['data', 'sponsors', 'digitalSignatures']

/**
 * Finds and parses the list in a payload.
 * @throws WireError if there is no list, or an item is unreadable
 */
export function readList<S extends z.ZodType>(item: S, payload: unknown, endpoint: string): z.output<S>[] {
  const shape = z.array(item)
  if (Array.isArray(payload)) return readShape(shape, payload, endpoint, 'payload')
  const holder = readShape(z.looseObject({}), payload, endpoint, 'payload')
  const key = listKeys.find((listKey) => Array.isArray(holder[listKey])) ?? 'data'
  return readShape(shape, holder[key], endpoint, `payload.${key}`)
}
