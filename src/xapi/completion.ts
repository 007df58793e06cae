// Whether a statement says that a learner completed a course, and which; or that another statement counts no more. Pure.

import { coded, valueAt } from '#src/json/json-pointer.ts'
import { type IdentifierKind, identifierKinds } from './actor.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { instantOf } from './timestamp.ts'
import { voidedBy } from './voiding.ts'

/** The verbs of ADL's vocabulary that end a course well, by the names that people use for them. */
export const completionVerbs = {
  completed: 'http://adlnet.gov/expapi/verbs/completed',
  passed: 'http://adlnet.gov/expapi/verbs/passed',
} as const

/** What Moodle's logstore_xapi and Open edX call a course. A page that was read has the same verb and another type. */
export const courseTypes = [
  'https://w3id.org/xapi/cmi5/activitytype/course',
  'http://adlnet.gov/expapi/activities/course',
] as const

/** Where Moodle's logstore_xapi puts the course's id number, when its setting "send id number" is on. */
const externalId = 'https://w3id.org/learning-analytics/learning-management-system/external-id'
const externalIdPointer = `/object/definition/extensions/${coded(externalId)}`

export interface CompletionRule {
  /** Ids of verbs, complete IRIs. */
  verbs: readonly string[]
  /** Types of Activities that count as a course, complete IRIs. */
  activityTypes: readonly string[]
  /** JSON Pointer to the course's code, from the whole statement; null = the external id, else the object's id. */
  coursePointer: string | null
}

export interface Learner {
  kind: IdentifierKind
  /** The account's name, or the identifier; of a mbox the e-mail address alone. */
  value: string
  /** Of an account: the system that it is on. */
  homePage?: string
}

export type Told =
  | {
      kind: 'completion'
      learner: Learner
      course: string
      /** When it happened; null when the statement does not say. */
      at: Date | null
    }
  /** The statement with this id, in lower case, counts no more. Whoever reads this decides what follows. */
  | { kind: 'voiding'; voids: string }

/** Null when the checked statement is about anything else, tells of no success, or names no single learner or no course. */
export function completionOf(statement: JsonObject, rule: CompletionRule): Told | null {
  const voids = voidedBy(statement)
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

/** A Group is nobody that a credential could be made out to. */
function learnerOf(actor: Json): Learner | null {
  if (!isObject(actor) || actor.objectType === 'Group') return null
  const kind = identifierKinds.find((each) => Object.hasOwn(actor, each))
  if (kind === undefined) return null
  if (kind !== 'account') {
    const value = textAt(actor, `/${kind}`)?.replace(kind === 'mbox' ? /^mailto:/ : '', '')
    return value ? { kind, value } : null
  }
  const [value, homePage] = [textAt(actor, '/account/name'), textAt(actor, '/account/homePage')]
  return value === null || homePage === null ? null : { kind, value, homePage }
}

/** A text that says something, or a number as a text: some systems have numbers for codes. */
function textAt(value: Json, pointer: string): string | null {
  const found = valueAt(value, pointer)
  const text = typeof found === 'number' ? String(found) : found
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}
