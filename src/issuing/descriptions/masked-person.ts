// Describes the person who holds a credential, or whom a report item shows, with masked values. Pure.

import { type FieldRole, keyWithRole } from '#src/domain/recipient/field-role.ts'
import { maskValue } from '#src/domain/recipient/mask-value.ts'

const shownRoles: readonly FieldRole[] = ['email', 'phone', 'first name', 'last name']

/** Returns, for example, `a…@e….org, A… (5 characters)`, which is enough to recognize the person. */
export function maskedPerson(recipient: Readonly<Record<string, string>> | null): string {
  if (!recipient) return 'a person whose data was removed'
  const keys = Object.keys(recipient)
  const values = shownRoles.flatMap((role) => recipient[keyWithRole(keys, role) ?? ''] ?? [])
  return values.length > 0 ? values.map(maskValue).join(', ') : 'a person without a name'
}

/** Returns the same description for an item of the report. */
export function maskedItem(item: {
  email_: string | null
  contact_number: string | null
  fname: string | null
  lname: string | null
}): string {
  const values = [item.email_, item.contact_number, item.fname, item.lname].flatMap((value) => value || [])
  return values.length > 0 ? values.map(maskValue).join(', ') : 'a person without data in the report'
}
