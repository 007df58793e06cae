// Creates the test recipients that a probe sends. They are invented people whose values satisfy the course's field
// list. Pure.

import { compileRules, type Rules } from '#src/domain/recipient/compile-rules.ts'
import type { Field } from '#src/domain/recipient/field.ts'
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
  return { repeated: make(1), control: make(2) }
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
