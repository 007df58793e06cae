// What a report item shows of a recipient, as a record of the course's fields, and whom the pipeline takes it for. Pure, but for the keyed hashes.

import type { PipelineSettings } from '#config/schema.ts'
import type { Hasher } from '#src/issuance/identity.ts'
import { type Identified, IdentityError, type IdentityRule, identify, primaryField } from '#src/issuance/person.ts'
import { recipientKeys } from '#src/issuer/report-keys.ts'
import type { ReportItem } from '#src/issuer/wire.ts'
import type { Echo } from '#src/ledger/probes.ts'
import { identityRuleOf } from '#src/pipelines/identity-rule.ts'
import { cleanText } from '#src/recipients/clean-text.ts'
import type { Field } from '#src/recipients/field.ts'
import { type FieldRole, fieldWithRole, roleOf } from '#src/recipients/field-role.ts'
import { findField } from '#src/recipients/find-field.ts'

type Values = Readonly<Record<string, string>>

export interface ShownRecipient extends Identified {
  recipient: Values
}

export interface RecipientReader {
  /** Sentences about the configuration; with any, nothing can be matched. */
  faults: readonly string[]
  /** Display names of the fields that the report shows. */
  shows: readonly string[]
  /** The recipient, or why it is nobody that a list could name. */
  read(item: ReportItem): ShownRecipient | { unmatched: string }
}

export interface RecipientReaderInput {
  pipeline: Pick<PipelineSettings, 'columns' | 'identity' | 'occurrence' | 'correlation'>
  course: string
  fields: readonly Field[]
  hasher: Hasher
  /** What a probe of the course saw coming back. */
  echoes: readonly Echo[]
  /** A person says that the report shows numbers without their dial code. */
  plainNumbers: boolean
}

/** Keys of an item that hold what was sent; `name` and the dates are the service's own making. */
const ownKeys = ['fname', 'lname', ...recipientKeys] as const
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
  const structural = neverShown(input, { needed, keys, hasPrimary: rule.identity.length > 0 || primary.field !== null })
  return {
    faults,
    shows: [...keys.keys()],
    read(item) {
      if (structural !== null) return { unmatched: structural }
      const recipient = recipientOf(item, keys, primary.constant)
      try {
        const who = identify(searchable(recipient, fields, rule), course, rule, hasher)
        return { recipient, ...who }
      } catch (error) {
        if (!(error instanceof IdentityError)) throw error
        return { unmatched: `the report shows no ${error.field} for them` }
      }
    },
  }
}

/** Which key of an item fills which field: as a probe saw it, else by the field's own name, else by what the field is. */
function keysOfFields(fields: readonly Field[], echoes: readonly Echo[]): Map<string, string> {
  const keys = new Map<string, string>()
  for (const { field, key, match } of echoes)
    if (match === 'exact' && fields.some((each) => each.displayName === field) && !keys.has(field)) keys.set(field, key)
  for (const field of fields) {
    const key = ownKeys.find((each) => each === field.name)
    if (key && !keys.has(field.displayName)) keys.set(field.displayName, key)
  }
  const filled = new Set(keys.values())
  for (const [key, role] of roles) {
    const field = filled.has(key) ? undefined : fieldWithRole(fields, role)
    if (field && !keys.has(field.displayName)) keys.set(field.displayName, key)
  }
  return keys
}

/** The field that says who, where it is the same for every row, and the constant that names it. */
function primaryOf({ columns }: RecipientReaderInput['pipeline'], fields: readonly Field[]) {
  const says = fieldWithRole(fields, 'primary value')
  if (!says) return { field: 'Email', constant: null }
  const [, spec] = Object.entries(columns).find(([name]) => findField(name, fields) === says) ?? []
  if (typeof spec !== 'object' || !('value' in spec)) return { field: null, constant: null }
  const field = findField(spec.value, fields)?.displayName ?? spec.value
  return { field, constant: { field: says.displayName, value: spec.value } }
}

/** Why no item at all can be matched; null when some can. */
function neverShown(
  { fields, echoes, plainNumbers }: RecipientReaderInput,
  of: { needed: readonly string[]; keys: ReadonlyMap<string, string>; hasPrimary: boolean },
): string | null {
  if (!of.hasPrimary)
    return 'each row of a list says by its Primary Value who it is, and the report does not show that: set `identity` in the pipeline, such as [Email]'
  const missing = of.needed.filter((name) => !of.keys.has(name))
  if (missing.length > 0)
    return `the report does not show ${missing.join(', ')}, by which this pipeline tells people or occasions apart`
  const isPhone = (name: string) => fields.some((field) => field.displayName === name && roleOf(field) === 'phone')
  const number = of.needed.find(isPhone)
  const dial = fieldWithRole(fields, 'dial code')
  const seen = echoes.some(
    ({ field, key, match }) => field === number && key === of.keys.get(number) && match === 'exact',
  )
  if (number && dial && !plainNumbers && !seen)
    return `the report may show ${number} with its ${dial.displayName}: look with \`credsync report\`, and say --plain-numbers if it does not`
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
    // PostgreSQL keeps no NUL.
    if (value !== '' && !value.includes('\0')) recipient[field] = value
  }
  if (constant) recipient[constant.field] = constant.value
  return recipient
}

/** Where other fields say who it is, the primary value only matters for finding the person again: any that the item has a value for will do. */
function searchable(recipient: Values, fields: readonly Field[], { identity }: IdentityRule): Values {
  const says = fieldWithRole(fields, 'primary value')
  if (!says || identity.length === 0 || recipient[primaryField(recipient)]) return recipient
  const email = fieldWithRole(fields, 'email')?.displayName
  const phone = fieldWithRole(fields, 'phone')?.displayName
  const found = [email, phone].find((name) => name && recipient[name])
  return found ? { ...recipient, [says.displayName]: found } : recipient
}
