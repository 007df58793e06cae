// Who did it: Agents and Groups (xAPI 1.0.3, Data 2.4.2), and who says so: the authority (Data 2.4.9).

import { type Check, exactly, listOf, record, StatementFault, text } from './check.ts'
import { iri, mailbox, sha1 } from './formats.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

const identifiers = {
  mbox: mailbox,
  mbox_sha1sum: sha1,
  openid: iri,
  account: record({ required: { homePage: iri, name: text } }),
}

export type IdentifierKind = keyof typeof identifiers

export const identifierKinds = Object.keys(identifiers) as readonly IdentifierKind[]

const agentShape = record({ optional: { objectType: exactly('Agent'), name: text, ...identifiers } })

export const agent: Check = (value, path) => {
  agentShape(value, path)
  if (identifiersIn(value) !== 1) throw new StatementFault(path, `must have exactly one of ${listed}`)
}

const groupShape = record({
  required: { objectType: exactly('Group') },
  optional: { name: text, member: listOf(agent), ...identifiers },
})

export const group: Check = (value, path) => {
  groupShape(value, path)
  const count = identifiersIn(value)
  if (count > 1) throw new StatementFault(path, `must not have more than one of ${listed}`)
  if (count === 0 && membersOf(value).length === 0)
    throw new StatementFault(path, `is a Group without ${listed} and must list its members in "member"`)
}

/** Without an objectType it is an Agent. */
export const actor: Check = (value, path) => {
  if (!isObject(value)) throw new StatementFault(path, 'must be an object')
  if (value.objectType === 'Group') group(value, path)
  else agent(value, path)
}

/** An Agent, or the two Agents of OAuth as a Group without identifier. */
export const authority: Check = (value, path) => {
  actor(value, path)
  if (!isObject(value) || value.objectType !== 'Group') return
  if (identifiersIn(value) > 0 || membersOf(value).length !== 2)
    throw new StatementFault(path, 'must be an Agent, or a Group of exactly two members and without identifier')
}

const listed = identifierKinds.join(', ')

function identifiersIn(value: Json): number {
  return isObject(value) ? identifierKinds.filter((kind) => Object.hasOwn(value, kind)).length : 0
}

function membersOf(value: Json): readonly Json[] {
  const members = isObject(value) ? (value as JsonObject).member : undefined
  return Array.isArray(members) ? members : []
}
