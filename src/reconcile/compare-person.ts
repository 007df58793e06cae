// Is the person that a report item shows the person that we sent? Pure. Compared field by field, only where both sides have a
// value, without case and extra spaces: a service may tidy a name, but it may not exchange it.

import { foldedText } from '#src/issuance/folded-text.ts'
import { normalisePhone } from '#src/issuance/identity.ts'
import { type FieldRole, keyWithRole } from '#src/recipients/field-role.ts'

export interface ShownPerson {
  firstName: string | null
  lastName: string | null
  email: string | null
  contactNumber: string | null
}

/** @returns the display names of the fields that differ */
export function differingFields(sent: Readonly<Record<string, string>>, shown: ShownPerson): string[] {
  const keys = Object.keys(sent)
  const texts: [FieldRole, string | null][] = [
    ['first name', shown.firstName],
    ['last name', shown.lastName],
    ['email', shown.email],
  ]
  const differing = texts.flatMap(([role, value]) => {
    const field = keyWithRole(keys, role)
    const own = field && sent[field]
    return value && own && foldedText(own) !== foldedText(value) ? [field] : []
  })
  const field = keyWithRole(keys, 'phone')
  const phone = field && sent[field]
  if (phone && shown.contactNumber && !samePhone(phone, shown.contactNumber)) differing.push(field)
  return differing
}

/** With or without the dial code: which of them the report shows is not documented. */
function samePhone(sent: string, shown: string): boolean {
  const [a, b] = [normalisePhone(sent), normalisePhone(shown)]
  return a === b || (Math.min(a.length, b.length) >= 5 && (a.endsWith(b) || b.endsWith(a)))
}
