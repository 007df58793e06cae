// Checks the parts of a statement by which a completion, a voiding or a repeat is recognized (xAPI 1.0.3, Data 2.4),
// and the version that a request names. The other parts of a statement are not checked. Pure.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isoMs } from '#src/extensions/lms/webhooks/event-time.ts'
import { canonicalJson } from '#src/platform/text.ts'
import { isUuid } from '#src/platform/uuid.ts'

export const identifierKinds = ['mbox', 'mbox_sha1sum', 'openid', 'account'] as const
export const voidedVerb = 'http://adlnet.gov/expapi/verbs/voided'

const text = z.string()
const iri = text.regex(/^[A-Za-z][A-Za-z0-9+.-]*:\S+$/, 'must be an IRI with its scheme')
const uuid = text.refine(isUuid, 'must be a UUID')

const actor = z
  .looseObject({
    objectType: z.enum(['Agent', 'Group'], 'must be "Agent" or "Group"').optional(),
    mbox: text.regex(/^mailto:[^\s@<>]+@[^\s@<>]+$/, 'must be "mailto:" and an e-mail address').optional(),
    mbox_sha1sum: text.optional(),
    openid: iri.optional(),
    account: z.looseObject({ homePage: iri, name: text }).optional(),
  })
  .refine(
    (value) => value.objectType === 'Group' || identifierKinds.filter((kind) => value[kind] !== undefined).length === 1,
    `must have exactly one of ${identifierKinds.join(', ')}`,
  )

const statement = z.looseObject({
  id: uuid.optional(),
  actor,
  verb: z.looseObject({ id: iri }),
  object: z.looseObject({ objectType: text.optional() }),
  result: z.looseObject({ success: z.boolean().optional(), completion: z.boolean().optional() }).optional(),
  timestamp: text
    .refine((value) => isoMs(value) !== null, 'must be an ISO 8601 date and time, such as 2026-11-21T11:40:00Z')
    .optional(),
})

const activity = z.object({ object: z.looseObject({ id: iri }) })
const voiding = z.object({
  object: z.looseObject({
    objectType: z.literal('StatementRef', 'must be "StatementRef", because the verb is "voided"'),
    id: uuid,
  }),
})

export type Statement = z.infer<typeof statement>
export type CheckedStatement = { ok: true; value: Statement } | { ok: false; fault: string }

/**
 * Returns the statement, or the rule that it breaks: a sentence without its full stop, and without values.
 * @param path the place of the statement in the request, for the sentence; empty for a single one
 */
export function checkStatement(value: unknown, path: string): CheckedStatement {
  const checked = statement.safeParse(value, { error: wording })
  const { verb, object } = checked.data ?? {}
  const more = verb?.id === voidedVerb ? voiding : (object?.objectType ?? 'Activity') === 'Activity' ? activity : null
  const issue = (checked.error ?? more?.safeParse(value, { error: wording }).error)?.issues[0]
  if (issue === undefined) return { ok: true, value: value as Statement }
  const place = [path, ...issue.path].filter((part) => part !== '').join('.')
  return { ok: false, fault: `${place || 'The statement'} ${issue.message}` }
}

const wording = ({ code, input, expected }: { code?: string; input?: unknown; expected?: unknown }) =>
  input === undefined ? 'is required' : code === 'invalid_type' ? `must be of the type ${expected}` : 'is not allowed'

/** Returns the id, in lower case, of the statement that this one voids; null if it voids none. */
export function voidedId({ verb, object }: Statement): string | null {
  return verb.id === voidedVerb ? String(object.id).toLowerCase() : null
}

/**
 * Returns the SHA-256, in hex, of what distinguishes statements with one id. As Data 2.3.1 allows, the words of a verb,
 * the definitions of activities and the notation of the time do not count.
 */
export function statementDigest({ id, stored, authority, version, timestamp, ...content }: Statement): string {
  const words = ['display', 'definition']
  const counted = JSON.stringify(content, (key, value) => (words.includes(key) ? undefined : value))
  return createHash('sha256')
    .update(canonicalJson([JSON.parse(counted), isoMs(timestamp)]))
    .digest('hex')
}

/** The header in which requests and answers name the version of xAPI (xAPI 1.0.3, Communication 3.3), in lower case. */
export const versionHeader = 'x-experience-api-version'

/** The latest patch version of each version that is accepted. */
export const takenVersions = ['1.0.3', '2.0.0'] as const

/** Returns the version to answer in; null if the request names none, or one that is not accepted. */
export function takenVersion(requested: string | undefined): string | null {
  const line = /^(\d\.\d)(\.\d+)?$/.exec(requested ?? '')?.[1]
  return takenVersions.find((version) => version.slice(0, 3) === line) ?? null
}

export function answerVersion(requested: string | undefined): string {
  return takenVersion(requested) ?? takenVersions[0]
}
