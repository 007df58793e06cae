// Reads from a statement which learner completed which course, or which other statement it voids. Pure.

import { escapeName, valueAt } from '#src/platform/json-pointer.ts'
import { type IdentifierKind, identifierKinds } from './actor.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { instantOf } from './timestamp.ts'
import { voidedStatementId } from './voiding.ts'

/** The verbs of the ADL vocabulary for completing a course, by their short names. */
export const completionVerbIds = {
  completed: 'http://adlnet.gov/expapi/verbs/completed',
  passed: 'http://adlnet.gov/expapi/verbs/passed',
} as const

/**
 * The activity types that Moodle's logstore_xapi and Open edX use for a course. A completed page has the same verb, but
 * another type.
 */
export const courseTypes = [
  'https://w3id.org/xapi/cmi5/activitytype/course',
  'http://adlnet.gov/expapi/activities/course',
] as const

/**
 * The extension in which Moodle's logstore_xapi sends the course's ID number, when its setting "send id number" is
 * enabled.
 */
const externalId = 'https://w3id.org/learning-analytics/learning-management-system/external-id'
const externalIdPointer = `/object/definition/extensions/${escapeName(externalId)}`

export interface CompletionRule {
  /** Verb ids, as full IRIs. */
  verbs: readonly string[]
  /** The activity types that count as a course, as full IRIs. */
  activityTypes: readonly string[]
  /**
   * A JSON Pointer to the course's code, from the root of the statement. If null, the code is the external id, or
   * otherwise the object's id.
   */
  coursePointer: string | null
}

export interface StatementLearner {
  kind: IdentifierKind
  /** The account name, or the identifier; for an mbox, the e-mail address without `mailto:`. */
  value: string
  /** For an account: the URL of its system. */
  homePage?: string
}

export type StatementMeaning =
  | {
      kind: 'completion'
      learner: StatementLearner
      course: string
      /** The time of the completion; null when the statement has no timestamp. */
      at: Date | null
    }
  /** The statement with the id `voids`, in lower case, is no longer valid. The caller decides what to do. */
  | { kind: 'voiding'; voids: string }

/**
 * Interprets a validated statement.
 * @returns null when the statement is about neither a completion nor a voiding, reports a failure, or does not name a
 * single learner and a course
 */
export function completionOf(statement: JsonObject, rule: CompletionRule): StatementMeaning | null {
  const voids = voidedStatementId(statement)
  if (voids !== null) return { kind: 'voiding', voids }
  const verb = textAt(statement, '/verb/id')
  if (verb === null || !rule.verbs.includes(verb)) return null
  if (!rule.activityTypes.includes(textAt(statement, '/object/definition/type') ?? '')) return null
  if (valueAt(statement, '/result/success') === false || valueAt(statement, '/result/completion') === false) return null
  const learner = learnerOf(statement.actor ?? null)
  const course = courseOf(statement, rule.coursePointer)
  if (learner === null || course === null) return null
  const instant = instantOf(textAt(statement, '/timestamp') ?? '')
  return { kind: 'completion', learner, course, at: instant === null ? null : new Date(instant) }
}

function courseOf(statement: JsonObject, pointer: string | null): string | null {
  return pointer === null
    ? (textAt(statement, externalIdPointer) ?? textAt(statement, '/object/id'))
    : textAt(statement, pointer)
}

/** Returns null for a Group, since a credential cannot be issued to a group. */
function learnerOf(actor: Json): StatementLearner | null {
  if (!isObject(actor) || actor.objectType === 'Group') return null
  const kind = identifierKinds.find((identifierKind) => Object.hasOwn(actor, identifierKind))
  if (kind === undefined) return null
  if (kind !== 'account') {
    const value = textAt(actor, `/${kind}`)?.replace(kind === 'mbox' ? /^mailto:/ : '', '')
    return value ? { kind, value } : null
  }
  const [value, homePage] = [textAt(actor, '/account/name'), textAt(actor, '/account/homePage')]
  return value === null || homePage === null ? null : { kind, value, homePage }
}

/** Returns a non-blank string, or a number as a string: some systems use numbers as codes. */
function textAt(value: Json, pointer: string): string | null {
  const found = valueAt(value, pointer)
  const text = typeof found === 'number' ? String(found) : found
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}
