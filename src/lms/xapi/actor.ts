// Validates the actor of a statement, which is an Agent or a Group (xAPI 1.0.3, Data 2.4.2), and its authority (Data
// 2.4.9). Pure.

import { isObject, type Json, type JsonObject } from './json.ts'
import { exactly, listOf, record, StatementFault, textValue, type ValueCheck } from './value-checks.ts'
import { iri, mailbox, sha1 } from './value-formats.ts'

const identifiers = {
  mbox: mailbox,
  mbox_sha1sum: sha1,
  openid: iri,
  account: record({ required: { homePage: iri, name: textValue } }),
}

export type IdentifierKind = keyof typeof identifiers

export const identifierKinds = Object.keys(identifiers) as readonly IdentifierKind[]

const agentShape = record({ optional: { objectType: exactly('Agent'), name: textValue, ...identifiers } })

export const agent: ValueCheck = (value, path) => {
  agentShape(value, path)
  if (countIdentifiers(value) !== 1) throw new StatementFault(path, `must have exactly one of ${identifierNames}`)
}

const groupShape = record({
  required: { objectType: exactly('Group') },
  optional: { name: textValue, member: listOf(agent), ...identifiers },
})

export const group: ValueCheck = (value, path) => {
  groupShape(value, path)
  const count = countIdentifiers(value)
  if (count > 1) throw new StatementFault(path, `must not have more than one of ${identifierNames}`)
  if (count === 0 && membersOf(value).length === 0)
    throw new StatementFault(path, `is a Group without ${identifierNames}, so it must list its members in "member"`)
}

/** Validates an Agent or a Group. An actor without an objectType is an Agent. */
export const actor: ValueCheck = (value, path) => {
  if (!isObject(value)) throw new StatementFault(path, 'must be an object')
  if (value.objectType === 'Group') group(value, path)
  else agent(value, path)
}

/** Validates an authority: an Agent, or a Group that has no identifier and consists of the two Agents of OAuth. */
export const authority: ValueCheck = (value, path) => {
  actor(value, path)
  if (!isObject(value) || value.objectType !== 'Group') return
  if (countIdentifiers(value) > 0 || membersOf(value).length !== 2)
    throw new StatementFault(path, 'must be an Agent, or a Group with exactly two members and no identifier')
}

const identifierNames = identifierKinds.join(', ')

function countIdentifiers(value: Json): number {
  return isObject(value) ? identifierKinds.filter((kind) => Object.hasOwn(value, kind)).length : 0
}

function membersOf(value: Json): readonly Json[] {
  const members = isObject(value) ? (value as JsonObject).member : undefined
  return Array.isArray(members) ? members : []
}
