// Reads which other statement a voiding statement voids (xAPI 1.0.3, Data 2.3.2). Pure.

import { isObject, type JsonObject } from './json.ts'

export const voidedVerb = 'http://adlnet.gov/expapi/verbs/voided'

/** Returns the id, in lower case, of the statement that a validated statement voids; null when it voids none. */
export function voidedStatementId({ verb, object }: JsonObject): string | null {
  if (!isObject(verb) || verb.id !== voidedVerb) return null
  return isObject(object) && typeof object.id === 'string' ? object.id.toLowerCase() : null
}
