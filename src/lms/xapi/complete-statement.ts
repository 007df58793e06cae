// Adds the properties that a receiver must set before it stores a statement (xAPI 1.0.3, Data 2.3.1, 2.4.6.2 to
// 2.4.10). Pure.

import { isObject, type Json, type JsonObject } from './json.ts'

export interface ReceivedStatement {
  id: string
  /** ISO 8601. It is also the timestamp of a statement that has none. */
  stored: string
  /** The account that sent the statement, as an Agent. It replaces the authority in the statement. */
  authority: JsonObject
  /** The version to set when the statement has none. */
  version: string
}

export function completeStatement(
  statement: JsonObject,
  { id, stored, authority, version }: ReceivedStatement,
): JsonObject {
  return {
    ...withLists(statement),
    id,
    timestamp: statement.timestamp ?? stored,
    stored,
    authority,
    version: statement.version ?? version,
  }
}

/** Converts every value of contextActivities to an array, also in a SubStatement. */
function withLists(statement: JsonObject): JsonObject {
  const { context, object } = statement
  const activities = isObject(context) ? context.contextActivities : undefined
  return {
    ...statement,
    ...(isObject(context) &&
      isObject(activities) && { context: { ...context, contextActivities: activityLists(activities) } }),
    ...(isObject(object) && object.objectType === 'SubStatement' && { object: withLists(object) }),
  }
}

function activityLists(activities: JsonObject): JsonObject {
  const entries = Object.entries(activities).map(([kind, value]): [string, Json] => [kind, [value].flat()])
  return Object.fromEntries(entries)
}
