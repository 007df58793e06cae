// When two statements are the same (xAPI 1.0.3, Data 2.3.1, Statement Comparison).

import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject } from './json.ts'
import { instantOf } from './timestamp.ts'

/**
 * Hexadecimal SHA-256 of what makes a checked statement, as it was sent, the same. Not compared: id, stored, authority
 * and version; how a timestamp is written; the words of a verb and the definitions of Activities; the order of keys and
 * of group members; one contextActivity or an array of one; the case of UUIDs, hashes, language tags and mail domains.
 */
export function digestOf(statement: JsonObject): string {
  return createHash('sha256')
    .update(canonical(comparable(statement)))
    .digest('hex')
}

function comparable(statement: JsonObject): JsonObject {
  const { id, stored, authority, version, actor, verb, object, context, timestamp, ...rest } = statement
  return {
    ...rest,
    actor: comparableActor(actor ?? null),
    verb: isObject(verb) ? (verb.id ?? null) : null,
    object: comparableObject(object ?? null),
    context: comparableContext(context ?? null),
    timestamp: instant(timestamp),
  }
}

function comparableActor(actor: Json): Json {
  const whole = comparableAgent(actor)
  if (!isObject(whole) || !Array.isArray(whole.member)) return whole
  // Members have none themselves. A signature may say otherwise, and texts of texts of texts would double at each level.
  return { ...whole, member: whole.member.map((each) => canonical(comparableAgent(each))).sort() }
}

function comparableAgent(actor: Json): Json {
  if (!isObject(actor)) return actor
  const { mbox, mbox_sha1sum, ...rest } = actor
  return {
    ...rest,
    ...(typeof mbox === 'string' && { mbox: mbox.replace(/@.*$/, (domain) => domain.toLowerCase()) }),
    ...(typeof mbox_sha1sum === 'string' && { mbox_sha1sum: mbox_sha1sum.toLowerCase() }),
  }
}

function comparableObject(object: Json): Json {
  if (!isObject(object)) return object
  switch (object.objectType) {
    case 'Agent':
    case 'Group':
      return comparableActor(object)
    case 'StatementRef':
      return comparableReference(object)
    case 'SubStatement':
      return comparable(object)
    default:
      return object.id ?? null
  }
}

function comparableContext(context: Json): Json {
  if (!isObject(context)) return context
  const { registration, language, statement, instructor, team, ...rest } = context
  const { contextActivities, contextAgents, contextGroups, ...kept } = rest
  return {
    ...kept,
    ...(typeof registration === 'string' && { registration: registration.toLowerCase() }),
    ...(typeof language === 'string' && { language: language.toLowerCase() }),
    ...(statement !== undefined && { statement: comparableReference(statement) }),
    ...(instructor !== undefined && { instructor: comparableActor(instructor) }),
    ...(team !== undefined && { team: comparableActor(team) }),
    ...(isObject(contextActivities) && { contextActivities: activityIds(contextActivities) }),
    ...(Array.isArray(contextAgents) && { contextAgents: contextAgents.map((each) => withActor(each, 'agent')) }),
    ...(Array.isArray(contextGroups) && { contextGroups: contextGroups.map((each) => withActor(each, 'group')) }),
  }
}

function activityIds(activities: JsonObject): JsonObject {
  const ids = (value: Json) => [value].flat().map((each) => (isObject(each) ? (each.id ?? null) : each))
  return Object.fromEntries(Object.entries(activities).map(([kind, value]) => [kind, ids(value)]))
}

function withActor(value: Json, key: 'agent' | 'group'): Json {
  return isObject(value) ? { ...value, [key]: comparableActor(value[key] ?? null) } : value
}

function comparableReference(reference: Json): Json {
  return isObject(reference) && typeof reference.id === 'string' ? { ref: reference.id.toLowerCase() } : reference
}

function instant(timestamp: Json | undefined): Json {
  return typeof timestamp === 'string' ? instantOf(timestamp) : null
}

/** A text that is the same for equal values: keys in order, no white space. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}
