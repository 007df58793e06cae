// Validates a complete statement in either edition (xAPI 1.0.3, Data 2.2 to 2.4; 2.0 where it differs). Pure.

import { activity } from './activity.ts'
import { actor, authority, group } from './actor.ts'
import { attachments } from './attachment.ts'
import { context, statementRef } from './context.ts'
import { type Edition, editionOf } from './edition.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { result } from './result.ts'
import { isIso8601, isRfc3339 } from './timestamp.ts'
import { exactly, pathTo, record, StatementFault, textThat, type ValueCheck } from './value-checks.ts'
import { iri, languageMap, uuid } from './value-formats.ts'
import { voidedVerb } from './voiding.ts'

const verb = record({ required: { id: iri }, optional: { display: languageMap } })

const timestamp: Record<Edition, ValueCheck> = {
  '1.0': textThat(isIso8601, 'must be an ISO 8601 timestamp with date and time, without the offset -00:00'),
  '2.0': textThat(isRfc3339, 'must be an RFC 3339 timestamp with a time zone, without the offset -00:00'),
}

/** Requests in 2.0 may contain statements of version 1.0. */
const version: Record<Edition, ValueCheck> = {
  '1.0': textThat((value) => editionOf(value) === '1.0', 'must be 1.0 or 1.0.x'),
  '2.0': textThat((value) => editionOf(value) !== null, 'must be 1.0, 1.0.x, 2.0 or 2.0.x'),
}

function commonShape(edition: Edition, object: ValueCheck) {
  return {
    required: { actor, verb, object },
    optional: { result, context: context[edition], timestamp: timestamp[edition], attachments },
  }
}

/** Selects the check by objectType. An object without an objectType is an Activity (Data 2.4.4). */
function objectCheck(kinds: Readonly<Record<string, ValueCheck>>): ValueCheck {
  return (value, path) => {
    if (!isObject(value)) throw new StatementFault(path, 'must be an object')
    const kind = Object.hasOwn(value, 'objectType') ? value.objectType : 'Activity'
    const check = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    if (!check) throw new StatementFault(pathTo(path, 'objectType'), `must be one of ${Object.keys(kinds).join(', ')}`)
    check(value, path)
  }
}

const plainKinds = { Activity: activity, Agent: actor, Group: group, StatementRef: statementRef }

/** A SubStatement has no id, stored, version or authority, and contains no SubStatement (Data 2.4.4.3). */
function subStatement(edition: Edition): ValueCheck {
  const { required, optional } = commonShape(edition, objectCheck(plainKinds))
  const shape = record({ required: { objectType: exactly('SubStatement'), ...required }, optional })
  return (value, path) => {
    shape(value, path)
    if (isObject(value)) refuseContradictions(value, path)
  }
}

function statement(edition: Edition): ValueCheck {
  const { required, optional } = commonShape(
    edition,
    objectCheck({ ...plainKinds, SubStatement: subStatement(edition) }),
  )
  const shape = record({
    required,
    optional: { ...optional, id: uuid, stored: timestamp[edition], authority, version: version[edition] },
  })
  return (value, path) => {
    shape(value, path)
    if (isObject(value)) refuseContradictions(value, path)
  }
}

function refuseContradictions(value: JsonObject, path: string): void {
  const object = isObject(value.object) ? value.object : {}
  const kind = object.objectType ?? 'Activity'
  const verbId = isObject(value.verb) ? value.verb.id : undefined
  if (verbId === voidedVerb && kind !== 'StatementRef')
    throw new StatementFault(pathTo(path, 'object'), 'must be a StatementRef, because the verb is "voided"')
  const contextValue = isObject(value.context) ? value.context : {}
  for (const key of ['revision', 'platform'])
    if (kind !== 'Activity' && Object.hasOwn(contextValue, key))
      throw new StatementFault(pathTo(path, `context.${key}`), 'is allowed only when the object is an Activity')
}

const checks: Record<Edition, ValueCheck> = { '1.0': statement('1.0'), '2.0': statement('2.0') }

/**
 * Validates the value and returns it as a statement.
 * @param path the path of the statement for messages; empty for a single statement
 * @throws StatementFault with the path and the rule, but no value
 */
export function checkedStatement(value: Json, edition: Edition, path = ''): JsonObject {
  checks[edition](value, path)
  return value as JsonObject
}
