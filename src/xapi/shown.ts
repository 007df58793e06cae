// A statement as it is shown from then on: with what a receiver must add (xAPI 1.0.3, Data 2.3.1, 2.4.6.2 to 2.4.10).

import { isObject, type Json, type JsonObject } from './json.ts'

export interface Received {
  id: string
  /** ISO 8601; also the timestamp of a statement that has none. */
  stored: string
  /** An Agent: whose credentials brought the statement. It replaces what the statement says of itself. */
  authority: JsonObject
  /** The version of a statement that names none. */
  version: string
}

export function shownStatement(statement: JsonObject, { id, stored, authority, version }: Received): JsonObject {
  return {
    ...withLists(statement),
    id,
    timestamp: statement.timestamp ?? stored,
    stored,
    authority,
    version: statement.version ?? version,
  }
}

/** Every value of contextActivities as an array, also in a SubStatement. */
function withLists(statement: JsonObject): JsonObject {
  const { context, object } = statement
  const activities = isObject(context) ? context.contextActivities : undefined
  return {
    ...statement,
    ...(isObject(context) &&
      isObject(activities) && { context: { ...context, contextActivities: listed(activities) } }),
    ...(isObject(object) && object.objectType === 'SubStatement' && { object: withLists(object) }),
  }
}

function listed(activities: JsonObject): JsonObject {
  const entries = Object.entries(activities).map(([kind, value]): [string, Json] => [kind, [value].flat()])
  return Object.fromEntries(entries)
}
