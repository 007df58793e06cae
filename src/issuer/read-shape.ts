// Parses an answer, or a part or a list of it, with a zod schema, and reports where in the answer parsing failed. Pure.

import { z } from 'zod'

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

/** Thrown when an answer of the service cannot be parsed. The error names the path in the answer, never the value. */
export class WireError extends Error {
  override name = 'WireError'
  readonly endpoint: string
  /** The path in the answer, such as `payload.data[3].entity_uuid`; `(whole answer)` if the answer is not JSON. */
  readonly path: string

  constructor(endpoint: string, path: string, problem: string) {
    super(
      `The service's answer at ${endpoint} could not be read at ${path} (${problem}). The service may have changed, or a proxy answered instead; inspect the answer with curl, then report it.`,
    )
    this.endpoint = endpoint
    this.path = path
  }
}
