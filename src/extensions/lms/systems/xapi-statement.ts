// Reads from an xAPI statement which learner completed which course, or the problem that an operator must resolve.
// Pure.

import { parseEventBody } from '#src/extensions/lms/webhooks/event-body.ts'
import { idText } from '#src/extensions/lms/webhooks/event-text.ts'
import { isPossible } from '#src/extensions/lms/webhooks/event-time.ts'
import { completionOf, type StatementLearner } from '#src/extensions/lms/xapi/completion.ts'
import type { Statement } from '#src/extensions/lms/xapi/statement.ts'
import type { EventContents } from './inbound-system.ts'

export interface StatementSettings {
  activityTypes: string[]
  course?: string | undefined
  homePage?: string | undefined
  confirm?: string | undefined
}

export function readStatement(
  settings: StatementSettings,
  { body, arrivedAt }: { body: Buffer; arrivedAt: Date },
): EventContents {
  const parsed = parseEventBody(body)
  if (!parsed.ok) return { hints: [], problem: parsed.why }
  const { activityTypes, course } = settings
  const completion = completionOf(parsed.value as Statement, { activityTypes, coursePointer: course ?? null })
  if (completion?.kind === 'voiding')
    return withProblem(
      `The statement ${completion.voids} was voided. If a credential was issued because of it, decide whether to revoke it (credsync revoke).`,
    )
  if (!completion) return { hints: [], problem: null }
  const { learner, at } = completion
  if (learner.kind !== 'account' && learner.kind !== 'mbox')
    return withProblem(
      `The learner is identified by ${learner.kind}, which credsync cannot resolve; have the sender use an account or an e-mail address.`,
    )
  if (!isAccountOf(settings, learner))
    return withProblem(
      'The learner has an account on a system other than the one in `homePage`; correct the setting, or ignore the event.',
    )
  const [learnerId, courseId] = [idText(accountName(settings, learner)), idText(completion.course)]
  if (learnerId === undefined || courseId === undefined)
    return withProblem(
      'The learner or the course has a name that is longer than any id, or contains invalid characters.',
    )
  // A system that confirms the event reports the time itself. Without confirmation, a completion in the year 2996 would
  // go unnoticed.
  if (settings.confirm === undefined && at !== null && !isPossible(at, arrivedAt))
    return withProblem(
      'The time of the statement is before 1990 or more than a day in the future; check the clock of the sender.',
    )
  const who = learner.kind === 'mbox' ? { email: learnerId } : { id: learnerId }
  return { hints: [{ learner: who, course: courseId, at, fields: {} }], problem: null }
}

const withProblem = (sentence: string): EventContents => ({ hints: [], problem: sentence })

/** URLs that differ only in a trailing slash are treated as equal. */
const withoutSlash = (url: string) => url.replace(/\/$/, '')

/** True for a learner with an account on the system in `homePage`, and for a learner without an account. */
function isAccountOf({ homePage }: StatementSettings, learner: StatementLearner): boolean {
  if (homePage === undefined || learner.homePage === undefined) return true
  return withoutSlash(learner.homePage) === withoutSlash(homePage)
}

/**
 * Returns the account name alone when the settings name its system, or when another system confirms events. Otherwise
 * the name is prefixed with the URL of its system and a space, since account names are unique only within one system. A
 * URL contains no space.
 */
function accountName({ homePage, confirm }: StatementSettings, learner: StatementLearner): string {
  const isPlain = learner.homePage === undefined || homePage !== undefined || confirm !== undefined
  return isPlain ? learner.value : `${withoutSlash(learner.homePage ?? '')} ${learner.value}`
}
