// Reads the recipient of a report item as a record of the course's fields, and identifies the recipient by the
// pipeline's rule. Pure: the key for the hashes is passed in.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import {
  IdentityError,
  type IdentityRule,
  identify,
  type PersonHashes,
  primaryField,
} from '#src/domain/credential/person-hashes.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import { cleanText } from '#src/domain/recipient/clean-text.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { type FieldRole, fieldWithRole, nameFieldsOf, roleOf } from '#src/domain/recipient/field-role.ts'
import { findField } from '#src/domain/recipient/find-field.ts'
import { recipientKeys } from '#src/issuer/report/newest-items.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import type { Echo } from '#src/ledger/probes.ts'

type Values = Readonly<Record<string, string>>

export interface RecipientInReport extends PersonHashes {
  recipient: Values
}

export interface RecipientReader {
  /** Faults in the configuration, as sentences. If there are any, no item can be matched. */
  faults: readonly string[]
  /** Display names of the fields that the report shows. */
  shows: readonly string[]
  /** The fields by which the people of the pipeline are compared. */
  comparison: PersonComparison
  /** Returns the recipient, or the reason why this item cannot match anyone on a list. */
  read(item: ReportItem): RecipientInReport | { unmatched: string }
}

export interface RecipientReaderInput {
  pipeline: Pick<PipelineSettings, 'columns' | 'identity' | 'occurrence' | 'correlation'>
  course: string
  fields: readonly Field[]
  hasher: Hasher
  /** Echoes that a probe of the course found. */
  echoes: readonly Echo[]
  /** Whether the user confirmed that the report shows phone numbers without their dial code. */
  plainNumbers: boolean
}

/** The keys under which an item shows values that we sent. The service generates `name` and the dates itself. */
const sentKeys = ['fname', 'lname', ...recipientKeys] as const
const roles: readonly (readonly [keyof ReportItem & string, FieldRole])[] = [
  ['email_', 'email'],
  ['fname', 'first name'],
  ['lname', 'last name'],
  ['contact_number', 'phone'],
]

export function openRecipientReader(input: RecipientReaderInput): RecipientReader {
  const { pipeline, course, fields, hasher } = input
  const keys = keysOfFields(fields, input.echoes)
  const { rule, faults } = identityRuleOf(pipeline, fields)
  const primary = primaryOf(pipeline, fields)
  const needed = [
    ...(rule.identity.length > 0 ? rule.identity : primary.field ? [primary.field] : []),
    ...rule.occurrence,
  ]
  const unmatchable = whyUnmatchable(input, {
    needed,
    keys,
    hasPrimary: rule.identity.length > 0 || primary.field !== null,
  })
  return {
    faults,
    shows: [...keys.keys()],
    comparison: { identity: rule.identity, occurrence: rule.occurrence, nameFields: nameFieldsOf(fields) },
    read(item) {
      if (unmatchable !== null) return { unmatched: unmatchable }
      const recipient = recipientOf(item, keys, primary.constant)
      try {
        const who = identify(searchable(recipient, fields, rule), course, rule, hasher)
        return { recipient, ...who }
      } catch (error) {
        if (!(error instanceof IdentityError)) throw error
        return { unmatched: `the report shows no ${error.field} for this person` }
      }
    },
  }
}

/**
 * Maps each field to the item key that shows it: according to a probe's findings, otherwise by the field's name,
 * otherwise by its role.
 */
function keysOfFields(fields: readonly Field[], echoes: readonly Echo[]): Map<string, string> {
  const keys = new Map<string, string>()
  for (const { field, key, match } of echoes)
    if (match === 'exact' && fields.some((each) => each.displayName === field) && !keys.has(field)) keys.set(field, key)
  for (const field of fields) {
    const key = sentKeys.find((sentKey) => sentKey === field.name)
    if (key && !keys.has(field.displayName)) keys.set(field.displayName, key)
  }
  const filled = new Set(keys.values())
  for (const [key, role] of roles) {
    const field = filled.has(key) ? undefined : fieldWithRole(fields, role)
    if (field && !keys.has(field.displayName)) keys.set(field.displayName, key)
  }
  return keys
}

/** Returns the identifying field, if it is the same for every row, and the constant that specifies it. */
function primaryOf({ columns }: RecipientReaderInput['pipeline'], fields: readonly Field[]) {
  const primaryValue = fieldWithRole(fields, 'primary value')
  if (!primaryValue) return { field: 'Email', constant: null }
  const [, spec] = Object.entries(columns).find(([name]) => findField(name, fields) === primaryValue) ?? []
  if (typeof spec !== 'object' || !('value' in spec)) return { field: null, constant: null }
  const field = findField(spec.value, fields)?.displayName ?? spec.value
  return { field, constant: { field: primaryValue.displayName, value: spec.value } }
}

/** Returns the reason why no item can be matched; null if some items can. */
function whyUnmatchable(
  { fields, echoes, plainNumbers }: RecipientReaderInput,
  matching: { needed: readonly string[]; keys: ReadonlyMap<string, string>; hasPrimary: boolean },
): string | null {
  if (!matching.hasPrimary)
    return 'the Primary Value of each row identifies the person, and the report does not show it: set `identity` in the pipeline, such as [Email]'
  const missing = matching.needed.filter((name) => !matching.keys.has(name))
  if (missing.length > 0)
    return `the report does not show ${missing.join(', ')}, which this pipeline needs to distinguish people or occasions`
  const isPhone = (name: string) => fields.some((field) => field.displayName === name && roleOf(field) === 'phone')
  const number = matching.needed.find(isPhone)
  const dial = fieldWithRole(fields, 'dial code')
  const isShownExactly = echoes.some(
    ({ field, key, match }) => field === number && key === matching.keys.get(number) && match === 'exact',
  )
  if (number && dial && !plainNumbers && !isShownExactly)
    return `the report may show ${number} with its ${dial.displayName}: check with \`credsync report\`, and pass --plain-numbers if it does not`
  return null
}

function recipientOf(
  item: ReportItem,
  keys: ReadonlyMap<string, string>,
  constant: { field: string; value: string } | null,
): Values {
  const recipient: Record<string, string> = Object.create(null)
  for (const [field, key] of keys) {
    const shown = item[key]
    const value = typeof shown === 'string' || typeof shown === 'number' ? cleanText(String(shown)) : ''
    // PostgreSQL cannot store NUL.
    if (value !== '' && !value.includes('\0')) recipient[field] = value
  }
  if (constant) recipient[constant.field] = constant.value
  return recipient
}

/**
 * If other fields identify the person, the Primary Value is needed only to find the person in the report, so any field
 * with a value is suitable.
 */
function searchable(recipient: Values, fields: readonly Field[], { identity }: IdentityRule): Values {
  const primaryValue = fieldWithRole(fields, 'primary value')
  if (!primaryValue || identity.length === 0 || recipient[primaryField(recipient)]) return recipient
  const email = fieldWithRole(fields, 'email')?.displayName
  const phone = fieldWithRole(fields, 'phone')?.displayName
  const found = [email, phone].find((name) => name && recipient[name])
  return found ? { ...recipient, [primaryValue.displayName]: found } : recipient
}
