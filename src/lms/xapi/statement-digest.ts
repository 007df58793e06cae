// Computes a digest that is the same for equal statements (xAPI 1.0.3, Data 2.3.1, Statement Comparison). Pure.

import { createHash } from 'node:crypto'
import { comparableDuration } from './duration.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { instantOf } from './timestamp.ts'

/**
 * Returns the SHA-256, in hex, of all parts of a validated statement that matter for equality. These differences are
 * ignored: id, stored, authority and version; the notation of a timestamp; thousandths of a second in a duration; the
 * display of a verb and the definitions of Activities; the order of keys and of group members; a single contextActivity
 * or an array of one; the case of UUIDs, hashes, language tags and mail domains.
 */
export function statementDigest(statement: JsonObject): string {
  return createHash('sha256')
    .update(canonical(comparable(statement)))
    .digest('hex')
}

function comparable(statement: JsonObject): JsonObject {
  const { id, stored, authority, version, actor, verb, object, result, context, timestamp, ...rest } = statement
  return {
    ...rest,
    actor: comparableActor(actor ?? null),
    verb: isObject(verb) ? (verb.id ?? null) : null,
    object: comparableObject(object ?? null),
    ...(result !== undefined && { result: comparableResult(result) }),
    context: comparableContext(context ?? null),
    timestamp: comparableTimestamp(timestamp),
  }
}

function comparableActor(actor: Json): Json {
  const agent = comparableAgent(actor)
  if (!isObject(agent) || !Array.isArray(agent.member)) return agent
  // A valid member has no members itself, so the recursion stops here. An unvalidated statement in a signature may have
  // nested members, and nested JSON strings would double in length at each level.
  return { ...agent, member: agent.member.map((each) => canonical(comparableAgent(each))).sort() }
}

function comparableAgent(actor: Json): Json {
  if (!isObject(actor)) return actor
  const { mbox, mbox_sha1sum, ...rest } = actor
  return {
    ...rest,
    ...(typeof mbox === 'string' && { mbox: mbox.replace(/@.*/s, (domain) => domain.toLowerCase()) }),
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

function comparableResult(result: Json): Json {
  if (!isObject(result) || typeof result.duration !== 'string') return result
  return { ...result, duration: comparableDuration(result.duration) }
}

function comparableContext(context: Json): Json {
  if (!isObject(context)) return context
  const { registration, language, statement, instructor, team, ...rest } = context
  const { contextActivities, contextAgents, contextGroups, ...others } = rest
  return {
    ...others,
    ...(typeof registration === 'string' && { registration: registration.toLowerCase() }),
    ...(typeof language === 'string' && { language: language.toLowerCase() }),
    ...(statement !== undefined && { statement: comparableReference(statement) }),
    ...(instructor !== undefined && { instructor: comparableActor(instructor) }),
    ...(team !== undefined && { team: comparableActor(team) }),
    ...(isObject(contextActivities) && { contextActivities: activityIds(contextActivities) }),
    ...(Array.isArray(contextAgents) && {
      contextAgents: contextAgents.map((contextAgent) => withActor(contextAgent, 'agent')),
    }),
    ...(Array.isArray(contextGroups) && {
      contextGroups: contextGroups.map((contextGroup) => withActor(contextGroup, 'group')),
    }),
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

function comparableTimestamp(timestamp: Json | undefined): Json {
  return typeof timestamp === 'string' ? instantOf(timestamp) : null
}

/** Returns the same text for equal values: sorted keys, no white space. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}
