// Reads from a statement which learner completed which course, or which other statement it voids. Pure.

import { isoMs } from '#src/extensions/lms/webhooks/event-time.ts'
import { escapeName, valueAt } from '#src/platform/json-pointer.ts'
import { identifierKinds, type Statement, voidedId } from './statement.ts'

/** The verbs of the ADL vocabulary for completing a course. */
const completionVerbs = ['http://adlnet.gov/expapi/verbs/completed', 'http://adlnet.gov/expapi/verbs/passed']

/**
 * The activity types that Moodle's logstore_xapi and Open edX use for a course. A completed page has the same verb, but
 * another type.
 */
export const courseTypes = [
  'https://w3id.org/xapi/cmi5/activitytype/course',
  'http://adlnet.gov/expapi/activities/course',
]

/** The extension in which logstore_xapi sends the course's ID number, when its setting "send id number" is enabled. */
const externalId = 'https://w3id.org/learning-analytics/learning-management-system/external-id'
const externalIdPointer = `/object/definition/extensions/${escapeName(externalId)}`

export interface CompletionRule {
  /** The activity types that count as a course, as full IRIs. */
  activityTypes: readonly string[]
  /** A JSON Pointer to the course's code. If null, the code is the external id, or otherwise the object's id. */
  coursePointer: string | null
}

export interface StatementLearner {
  kind: (typeof identifierKinds)[number]
  /** The account name, or the identifier; for an mbox, the e-mail address without `mailto:`. */
  value: string
  /** For an account: the URL of its system. */
  homePage?: string
}

export type StatementMeaning =
  /** `at` is null when the statement has no timestamp. */
  | { kind: 'completion'; learner: StatementLearner; course: string; at: Date | null }
  /** The statement with the id `voids`, in lower case, is no longer valid. The caller decides what to do. */
  | { kind: 'voiding'; voids: string }

/**
 * Interprets a checked statement.
 * @returns null when the statement is about neither a completion nor a voiding, reports a failure, or does not name a
 * single learner and a course
 */
export function completionOf(
  statement: Statement,
  { activityTypes, coursePointer }: CompletionRule,
): StatementMeaning | null {
  const voids = voidedId(statement)
  if (voids !== null) return { kind: 'voiding', voids }
  const { verb, result, actor, timestamp } = statement
  if (!completionVerbs.includes(verb.id)) return null
  if (!activityTypes.includes(textAt(statement, '/object/definition/type') ?? '')) return null
  if (result?.success === false || result?.completion === false) return null
  const learner = learnerOf(actor)
  const course =
    coursePointer === null
      ? (textAt(statement, externalIdPointer) ?? textAt(statement, '/object/id'))
      : textAt(statement, coursePointer)
  if (learner === null || course === null) return null
  const ms = isoMs(timestamp)
  return { kind: 'completion', learner, course, at: ms === null ? null : new Date(ms) }
}

/** Returns null for a Group, since a credential cannot be issued to a group. */
function learnerOf(actor: Statement['actor']): StatementLearner | null {
  const kind = actor.objectType === 'Group' ? undefined : identifierKinds.find((each) => actor[each] !== undefined)
  if (kind === undefined) return null
  const value = textAt(actor, kind === 'account' ? '/account/name' : `/${kind}`)
  if (value === null) return null
  if (kind === 'mbox') return { kind, value: value.replace(/^mailto:/, '') }
  return { kind, value, ...(kind === 'account' && { homePage: actor.account?.homePage ?? '' }) }
}

/** Returns a non-blank string, or a number as a string: some systems use numbers as codes. */
function textAt(value: unknown, pointer: string): string | null {
  const found = valueAt(value, pointer)
  const text = typeof found === 'number' ? String(found) : found
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}
