// Voiding: a statement says of another one that it counts no more (xAPI 1.0.3, Data 2.3.2).

import { isObject, type JsonObject } from './json.ts'

export const voidedVerb = 'http://adlnet.gov/expapi/verbs/voided'

/** The id, in lower case, of the statement that a checked one voids; null when it voids none. */
export function voidedBy({ verb, object }: JsonObject): string | null {
  if (!isObject(verb) || verb.id !== voidedVerb) return null
  return isObject(object) && typeof object.id === 'string' ? object.id.toLowerCase() : null
}
