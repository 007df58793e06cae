// What a field is to us, told by its name: the one place that knows how the service and its courses name their fields.

import { looseName } from './loose-name.ts'

export type FieldRole = 'email' | 'phone' | 'dial code' | 'first name' | 'last name' | 'primary value'

// The hashes by which the ledger knows a person depend on what is a phone here: a name that moves from one role to another makes
// known people new ones. "Contact" alone is a number with this service; a contact's e-mail, name or address is none: of those only
// the digits would be compared, and two people would become one. Nor are contact hours, and other figures about a contact.
const patterns: readonly (readonly [FieldRole, RegExp])[] = [
  ['primary value', /^primaryvalue$/],
  ['email', /^e-?mail(?:address|id)?$/],
  ['dial code', /^dial|dialcode/],
  [
    'phone',
    /^(?!.*mail).*(?:phone|mobile|contact(?!.*(?:name|person|address|hour|minute|time|date|days|week|lesson|session|count|type|method|reason)))/,
  ],
  ['first name', /^(?:fname|firstname|givenname|forename)$/],
  ['last name', /^(?:lname|lastname|surname|familyname)$/],
]

/** How the service's own field list names them, where several fields have one role: the service's own comes first. */
const documented: Readonly<Record<FieldRole, string>> = {
  email: 'email',
  phone: 'contactnumber',
  'dial code': 'dialcode',
  'first name': 'firstname',
  'last name': 'lastname',
  'primary value': 'primaryvalue',
}

const known = new Map<string, FieldRole | null>()
const mostKnown = 1_000 // names come from field lists, so there are few; a million rows ask for the same ten

/** The role that a display name or an internal name tells; case, spaces and underscores make no difference. */
export function roleOfName(name: string): FieldRole | null {
  const before = known.get(name)
  if (before !== undefined) return before
  const loose = looseName(name)
  const role = patterns.find(([, pattern]) => pattern.test(loose))?.[0] ?? null
  if (known.size < mostKnown) known.set(name, role)
  return role
}

/** The role of a field, by its internal name or else by the name it is shown with. */
export function roleOf(field: { name: string; displayName: string }): FieldRole | null {
  return roleOfName(field.name) ?? roleOfName(field.displayName)
}

/** The key of a recipient record that has this role: the service's own, or else the only one. */
export function keyWithRole(keys: readonly string[], role: FieldRole): string | undefined {
  const having = keys.filter((key) => roleOfName(key) === role)
  if (having.length < 2) return having[0]
  return having.find((key) => looseName(key) === documented[role])
}

/** The field of a list that has this role: the service's own, or else the only one. */
export function fieldWithRole<Field extends { name: string; displayName: string }>(
  fields: readonly Field[],
  role: FieldRole,
): Field | undefined {
  const having = fields.filter((field) => roleOf(field) === role)
  if (having.length < 2) return having[0]
  return having.find((field) => [field.name, field.displayName].some((name) => looseName(name) === documented[role]))
}

/** Display names of the fields that hold a person's names, as two rows are compared by them. */
export function nameFieldsOf(fields: readonly { name: string; displayName: string }[]): string[] {
  return (['first name', 'last name'] as const).flatMap((role) => fieldWithRole(fields, role)?.displayName ?? [])
}
