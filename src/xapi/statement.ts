// The rules for a whole statement, in both editions (xAPI 1.0.3, Data 2.2 to 2.4; 2.0 where it differs).

import { activity } from './activity.ts'
import { actor, authority, group } from './actor.ts'
import { attachments } from './attachment.ts'
import { type Check, exactly, placeOf, record, StatementFault, textThat } from './check.ts'
import { context, statementRef } from './context.ts'
import { type Edition, editionOf } from './edition.ts'
import { iri, languageMap, uuid } from './formats.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { result } from './result.ts'
import { isIso8601, isRfc3339 } from './timestamp.ts'
import { voidedVerb } from './voiding.ts'

const verb = record({ required: { id: iri }, optional: { display: languageMap } })

const timestamp: Record<Edition, Check> = {
  '1.0': textThat(isIso8601, 'must be a timestamp of ISO 8601, date and time, without the offset -00:00'),
  '2.0': textThat(isRfc3339, 'must be a timestamp of RFC 3339 with its time zone, without the offset -00:00'),
}

/** Requests in 2.0 may bring statements that were made for 1.0. */
const version: Record<Edition, Check> = {
  '1.0': textThat((value) => editionOf(value) === '1.0', 'must be 1.0 or 1.0.x'),
  '2.0': textThat((value) => editionOf(value) !== null, 'must be 1.0, 1.0.x, 2.0 or 2.0.x'),
}

function inner(edition: Edition, object: Check) {
  return {
    required: { actor, verb, object },
    optional: { result, context: context[edition], timestamp: timestamp[edition], attachments },
  }
}

/** Without an objectType it is an Activity (Data 2.4.4). */
function objectCheck(kinds: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (!isObject(value)) throw new StatementFault(path, 'must be an object')
    const kind = Object.hasOwn(value, 'objectType') ? value.objectType : 'Activity'
    const check = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    if (!check) throw new StatementFault(placeOf(path, 'objectType'), `must be one of ${Object.keys(kinds).join(', ')}`)
    check(value, path)
  }
}

const plainKinds = { Activity: activity, Agent: actor, Group: group, StatementRef: statementRef }

/** A SubStatement has neither id, stored, version nor authority, and none of its kind inside it (Data 2.4.4.3). */
function subStatement(edition: Edition): Check {
  const { required, optional } = inner(edition, objectCheck(plainKinds))
  const shape = record({ required: { objectType: exactly('SubStatement'), ...required }, optional })
  return (value, path) => {
    shape(value, path)
    if (isObject(value)) refuseContradictions(value, path)
  }
}

function statement(edition: Edition): Check {
  const { required, optional } = inner(edition, objectCheck({ ...plainKinds, SubStatement: subStatement(edition) }))
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
  const doing = isObject(value.verb) ? value.verb.id : undefined
  if (doing === voidedVerb && kind !== 'StatementRef')
    throw new StatementFault(placeOf(path, 'object'), 'must be a StatementRef, because the verb is "voided"')
  const around = isObject(value.context) ? value.context : {}
  for (const key of ['revision', 'platform'])
    if (kind !== 'Activity' && Object.hasOwn(around, key))
      throw new StatementFault(placeOf(path, `context.${key}`), 'is allowed only where the object is an Activity')
}

const checks: Record<Edition, Check> = { '1.0': statement('1.0'), '2.0': statement('2.0') }

/**
 * The value as a statement.
 * @param path what the place of the statement itself is called in the sentence; empty when it is alone.
 * @throws StatementFault with the place and the rule when it breaks one; values are never told.
 */
export function checkedStatement(value: Json, edition: Edition, path = ''): JsonObject {
  checks[edition](value, path)
  return value as JsonObject
}
