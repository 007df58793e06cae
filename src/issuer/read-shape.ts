// Reads a part of an answer by its shape, or says at which place of it that failed.

import { z } from 'zod'
import { WireError } from './wire-error.ts'

/**
 * `value` as `shape` reads it. `at` is where the value stands in the answer, such as `payload.data`.
 * Throws WireError with endpoint and path. zod's messages are left out: only its codes are sure to hold no value.
 */
export function readShape<S extends z.ZodType>(shape: S, value: unknown, endpoint: string, at: string): z.output<S> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  throw new WireError(endpoint, `${at}${path}`.replace(/^\./, '') || '(whole answer)', issue?.code ?? 'unreadable')
}

// The names under which lists come; a list may also be the payload itself.
const listKeys = ['data', 'sponsors', 'digitalSignatures']

/** The list in a payload, wherever it stands. Throws WireError when there is none, or an item is unreadable. */
export function readList<S extends z.ZodType>(item: S, payload: unknown, endpoint: string): z.output<S>[] {
  const shape = z.array(item)
  if (Array.isArray(payload)) return readShape(shape, payload, endpoint, 'payload')
  const holder = readShape(z.looseObject({}), payload, endpoint, 'payload')
  const key = listKeys.find((each) => Array.isArray(holder[each])) ?? 'data'
  return readShape(shape, holder[key], endpoint, `payload.${key}`)
}
