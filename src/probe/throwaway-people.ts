// The people whom a probe sends: made up, nobody's, and fit for the course's field list. Pure.

import { compileRules, type Rules } from '#src/recipients/compile-rules.ts'
import type { Field } from '#src/recipients/field.ts'
import { fieldWithRole, roleOf } from '#src/recipients/field-role.ts'
import { findField } from '#src/recipients/find-field.ts'
import { type Spoiling, spoil } from './spoil.ts'
import { throwawayValue } from './throwaway-value.ts'

export interface Throwaway {
  /** Values by display name, as they are sent. */
  values: Record<string, string>
  /** The values that nobody else has: by them the report's items are known again. */
  own: string[]
  /** The report's search key and the value that find this person. */
  search: { email_: string } | { contact_number: string }
}

export interface ProbePlan {
  /** Sent alone, and then once more. */
  twice: Throwaway
  /** Sent last: when it shows, everything before it that does not show is absent. */
  control: Throwaway
  /** Sent in one batch with the bad one between them. */
  good: [Throwaway, Throwaway]
  /** Null when the field list has no rule that could be broken. */
  bad: { person: Throwaway; broke: string } | null
  /** Recipient records that are sent in all. */
  sent: number
}

/** No throwaway person can be made for this course; the message names the fields. */
export class ProbeImpossibleError extends Error {
  override readonly name = 'ProbeImpossibleError'
}

/**
 * @param constants what the pipeline sends to everybody, by display name
 * @param tag six letters, new for each probe
 * @throws ProbeImpossibleError
 */
export function planProbe(
  fields: readonly Field[],
  constants: Readonly<Record<string, string>>,
  tag: string,
): ProbePlan {
  const rules = compileRules(fields)
  const make = (number: number) => throwaway(rules, constants, tag, number)
  const [twice, control, first, second, spare] = [make(1), make(2), make(3), make(4), make(5)]
  const spoiled: Spoiling | null = spoil(spare.values, rules)
  const bad = spoiled && { person: { ...spare, values: spoiled.values }, broke: spoiled.broke }
  return { twice, control, good: [first, second], bad, sent: bad ? 6 : 3 }
}

function throwaway(rules: Rules, constants: Readonly<Record<string, string>>, tag: string, number: number): Throwaway {
  const values: Record<string, string> = Object.create(null)
  const own: string[] = []
  const unfit: string[] = []
  const hasEmail = rules.fields.some((field) => roleOf(field) === 'email')
  for (const [place, field] of rules.fields.entries()) {
    const rule = rules.byField.get(field.displayName)
    const constant = constants[field.displayName] ?? null
    const made = rule && throwawayValue(rule, { tag, number, place, constant, hasEmail })
    if (made) values[field.displayName] = made.value
    if (made?.own) own.push(made.value)
    if (!made && field.required) unfit.push(field.displayName)
  }
  const search = searchFor(values, rules.fields)
  if (unfit.length === 0 && search) return { values, own, search }
  const which =
    unfit.length > 0 ? unfit.map((name) => `“${name}”`).join(', ') : 'an e-mail or contact number that says who'
  throw new ProbeImpossibleError(
    `No throwaway recipient can be made for this course: nothing made up fits ${which}. If it is a choice, give it under columns as { value: … }; otherwise the course cannot be probed. Nothing was sent.`,
  )
}

/** By the field that Primary Value names, where it is an e-mail or a number; null when nothing would find the person. */
function searchFor(values: Record<string, string>, fields: readonly Field[]): Throwaway['search'] | null {
  const primary = fieldWithRole(fields, 'primary value')
  const named = primary && findField(values[primary.displayName] ?? '', fields)
  // Primary Value names a field that has to be filled, required or not.
  if (named && !values[named.displayName]) return null
  const email = fieldWithRole(fields, 'email')
  const address = email && values[email.displayName]
  if (address) return { email_: address }
  const phone = fieldWithRole(fields, 'phone')
  const number = phone && values[phone.displayName]
  return number ? { contact_number: number } : null
}
