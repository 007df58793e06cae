// Creates the test recipients that a probe sends. They are invented people whose values satisfy the course's field
// list. Pure.

import { checkValue } from '#src/domain/recipient/check-value.ts'
import { compileRules, type FieldRule, type Rules } from '#src/domain/recipient/compile-rules.ts'
import { type Field, isDateField } from '#src/domain/recipient/field.ts'
import { fieldWithRole, roleOf } from '#src/domain/recipient/field-role.ts'
import { findField } from '#src/domain/recipient/find-field.ts'
import { probeValue } from './probe-value.ts'

export interface ProbeRecipient {
  /** The values that are sent, by display name. */
  values: Record<string, string>
  /** The values that no other recipient has. They identify this recipient's items in the report. */
  unique: string[]
  /** The search key and the value that find this recipient in the report. */
  search: { email_: string } | { contact_number: string }
}

export interface ProbePlan {
  /** Sent alone, and later sent a second time. */
  repeated: ProbeRecipient
  /** Sent last. Once the report shows it, everything that was sent before and is not shown is absent. */
  control: ProbeRecipient
  /** Sent in one batch with the bad recipient between them. */
  good: [ProbeRecipient, ProbeRecipient]
  /** Null if the field list has no rule that can be broken. */
  bad: { person: ProbeRecipient; broke: string } | null
  /** The total number of recipient records that are sent. */
  sent: number
}

/** Thrown when no test recipient can be created for this course. The message names the fields. */
export class ProbeImpossibleError extends Error {
  override readonly name = 'ProbeImpossibleError'
}

/**
 * @param constants the values that the pipeline sends for every recipient, by display name
 * @param tag six letters that are different for each probe
 * @throws ProbeImpossibleError
 */
export function planProbe(
  fields: readonly Field[],
  constants: Readonly<Record<string, string>>,
  tag: string,
): ProbePlan {
  const rules = compileRules(fields)
  const make = (number: number) => probeRecipient(rules, constants, tag, number)
  const [repeated, control, first, second, spare] = [make(1), make(2), make(3), make(4), make(5)]
  const corrupted: Corruption | null = corruptValue(spare.values, rules)
  const bad = corrupted && { person: { ...spare, values: corrupted.values }, broke: corrupted.broke }
  return { repeated, control, good: [first, second], bad, sent: bad ? 6 : 3 }
}

function probeRecipient(
  rules: Rules,
  constants: Readonly<Record<string, string>>,
  tag: string,
  number: number,
): ProbeRecipient {
  const values: Record<string, string> = Object.create(null)
  const unique: string[] = []
  const unfillable: string[] = []
  const hasEmail = rules.fields.some((field) => roleOf(field) === 'email')
  for (const [position, field] of rules.fields.entries()) {
    const rule = rules.byField.get(field.displayName)
    const constant = constants[field.displayName] ?? null
    const invented = rule && probeValue(rule, { tag, number, position, constant, hasEmail })
    if (invented) values[field.displayName] = invented.value
    if (invented?.unique) unique.push(invented.value)
    if (!invented && field.required) unfillable.push(field.displayName)
  }
  const search = searchFor(values, rules.fields)
  if (unfillable.length === 0 && search) return { values, unique, search }
  const which =
    unfillable.length > 0
      ? unfillable.map((name) => `“${name}”`).join(', ')
      : 'an e-mail or contact number that identifies a person'
  throw new ProbeImpossibleError(
    `No throwaway recipient can be created for this course: no invented value is valid for ${which}. If the field is a choice, give a value under columns as { value: … }; otherwise the course cannot be probed. Nothing was sent.`,
  )
}

/**
 * Returns the e-mail address to search by, or the phone number if there is no address. Null if neither would find the
 * person.
 */
function searchFor(values: Record<string, string>, fields: readonly Field[]): ProbeRecipient['search'] | null {
  const primary = fieldWithRole(fields, 'primary value')
  const primaryField = primary && findField(values[primary.displayName] ?? '', fields)
  // The field that the Primary Value names must be filled, whether it is required or not.
  if (primaryField && !values[primaryField.displayName]) return null
  const email = fieldWithRole(fields, 'email')
  const address = email && values[email.displayName]
  if (address) return { email_: address }
  const phone = fieldWithRole(fields, 'phone')
  const number = phone && values[phone.displayName]
  return number ? { contact_number: number } : null
}

// Makes a valid recipient invalid, to find out how the service handles a batch with one bad recipient. Pure.

interface Corruption {
  values: Record<string, string>
  /** Which rule was broken, for example `First Name is empty`. */
  broke: string
}

/** Longer length limits are not tested: a value of a million letters would test something else. */
const maxTestedLength = 2_000

/**
 * Breaks one rule of the field list, and keeps the values that identify the person in the report. The first choice is
 * an empty required field, because every service checks required fields. Null if the list has no rule to break.
 */
function corruptValue(values: Readonly<Record<string, string>>, { fields, byField }: Rules): Corruption | null {
  const rules = fields.flatMap((field) => byField.get(field.displayName) ?? [])
  const breakable = rules.filter(({ field }) => !['primary value', 'email', 'phone'].includes(roleOf(field) ?? ''))
  const attempts = [
    ...breakable.map(emptyRequired),
    ...breakable.map(breakDate),
    ...breakable.map(exceedLength),
    ...breakable.map(breakPattern),
  ]
  // The e-mail address comes last: if the service accepts an invalid address, the person can be recognized only by
  // name.
  const last = rules.filter(({ field }) => roleOf(field) === 'email').map(breakPattern)
  const found = [...attempts, ...last].find((each) => each !== null)
  if (!found) return null
  const corrupted: Record<string, string> = Object.assign(Object.create(null), values)
  if (found.value === null) delete corrupted[found.field]
  else corrupted[found.field] = found.value
  return { values: corrupted, broke: found.broke }
}

interface BrokenField {
  field: string
  /** Null if the field is left out. */
  value: string | null
  broke: string
}

function emptyRequired({ field }: FieldRule): BrokenField | null {
  const { displayName } = field
  return field.required ? { field: displayName, value: null, broke: `${displayName} is empty` } : null
}

function breakDate({ field }: FieldRule): BrokenField | null {
  const { displayName } = field
  return isDateField(field) ? { field: displayName, value: 'no date', broke: `${displayName} is not a date` } : null
}

function exceedLength({ field }: FieldRule): BrokenField | null {
  const { displayName, maxLength } = field
  if (maxLength === null || maxLength < 1 || maxLength > maxTestedLength) return null
  return { field: displayName, value: 'x'.repeat(maxLength + 1), broke: `${displayName} is too long` }
}

function breakPattern(rule: FieldRule): BrokenField | null {
  const { displayName } = rule.field
  const value = ['!', 'x', '0'].find((each) => rule.pattern !== null && checkValue(each, rule).length > 0)
  return value ? { field: displayName, value, broke: `${displayName} does not match its pattern` } : null
}
