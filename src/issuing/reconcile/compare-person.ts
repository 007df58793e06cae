// Compares the person in a report item with the person that was sent. Fields are compared only if both have a value,
// ignoring case and extra spaces: the service may normalize a name but must not replace it. Pure.

import { normalizePhone } from '#src/domain/credential/identity-hasher.ts'
import { foldedText } from '#src/domain/credential/person-index.ts'
import { type FieldRole, keyWithRole } from '#src/domain/recipient/field-role.ts'

export interface PersonInReport {
  firstName: string | null
  lastName: string | null
  email: string | null
  contactNumber: string | null
}

/** @returns the display names of the fields that differ */
export function differingFields(sent: Readonly<Record<string, string>>, shown: PersonInReport): string[] {
  const keys = Object.keys(sent)
  const comparedValues: [FieldRole, string | null][] = [
    ['first name', shown.firstName],
    ['last name', shown.lastName],
    ['email', shown.email],
  ]
  const differing = comparedValues.flatMap(([role, value]) => {
    const field = keyWithRole(keys, role)
    const sentValue = field && sent[field]
    return value && sentValue && foldedText(sentValue) !== foldedText(value) ? [field] : []
  })
  const field = keyWithRole(keys, 'phone')
  const phone = field && sent[field]
  if (phone && shown.contactNumber && !samePhone(phone, shown.contactNumber)) differing.push(field)
  return differing
}

/** Compares with and without the dial code, because it is not documented which of the two the report shows. */
export function samePhone(sent: string, shown: string): boolean {
  const [a, b] = [normalizePhone(sent), normalizePhone(shown)]
  return a === b || (Math.min(a.length, b.length) >= 5 && (a.endsWith(b) || b.endsWith(a)))
}
