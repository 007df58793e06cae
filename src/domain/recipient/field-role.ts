// Derives a field's role from its name. Only this file depends on how the service and its courses name their fields.
// Caches results in memory.

import { looseName } from './loose-name.ts'

export type FieldRole = 'email' | 'phone' | 'dial code' | 'first name' | 'last name' | 'primary value'

// The hashes by which the ledger recognizes a person depend on which fields count as phone numbers: if a name changes
// its role, people whom the ledger knows become new people. "Contact" alone is a number in this service. The e-mail,
// name or address of a contact is not, because only its digits would be compared, and two people would become one.
// Contact hours and other figures about a contact are not phone numbers either.
const patterns: readonly (readonly [FieldRole, RegExp])[] = [
  ['primary value', /^primaryvalue$/],
  ['email', /^e-?mail(?:address|id)?$/],
  ['dial code', /^dial|dialcode/],
  [
    'phone',
    // The lookahead is anchored after the last "contact", so that the words in it are searched for only once.
    /^(?!.*mail)(?:.*(?:phone|mobile)|(?=(.*contact))\1(?!.*(?:name|person|address|hour|minute|time|date|days|week|lesson|session|count|type|method|reason)))/,
  ],
  ['first name', /^(?:fname|firstname|givenname|forename)$/],
  ['last name', /^(?:lname|lastname|surname|familyname)$/],
]

/** The service's name for each role, as looseName returns it. That field is used if several have the same role. */
const serviceNames: Readonly<Record<FieldRole, string>> = {
  email: 'email',
  phone: 'contactnumber',
  'dial code': 'dialcode',
  'first name': 'firstname',
  'last name': 'lastname',
  'primary value': 'primaryvalue',
}

const roleByName = new Map<string, FieldRole | null>()
const maxCached = 1_000 // names come from field lists, so there are few, but a million rows look up the same ten

/** Finds the role of a display name or internal name, ignoring case, spaces and underscores. */
export function roleOfName(name: string): FieldRole | null {
  const cached = roleByName.get(name)
  if (cached !== undefined) return cached
  const loose = looseName(name)
  const role = patterns.find(([, pattern]) => pattern.test(loose))?.[0] ?? null
  if (roleByName.size < maxCached) roleByName.set(name, role)
  return role
}

/** Finds the role of a field by its internal name, or if that has none, by its display name. */
export function roleOf(field: { name: string; displayName: string }): FieldRole | null {
  return roleOfName(field.name) ?? roleOfName(field.displayName)
}

/** Finds the key of a recipient record that has this role. If several keys have it, only the service's name counts. */
export function keyWithRole(keys: readonly string[], role: FieldRole): string | undefined {
  const candidates = keys.filter((key) => roleOfName(key) === role)
  if (candidates.length < 2) return candidates[0]
  return candidates.find((key) => looseName(key) === serviceNames[role])
}

/** Finds the field of a list that has this role. If several fields have it, only the service's name counts. */
export function fieldWithRole<Field extends { name: string; displayName: string }>(
  fields: readonly Field[],
  role: FieldRole,
): Field | undefined {
  const candidates = fields.filter((field) => roleOf(field) === role)
  if (candidates.length < 2) return candidates[0]
  return candidates.find((field) =>
    [field.name, field.displayName].some((name) => looseName(name) === serviceNames[role]),
  )
}

/** Returns the display names of the fields that contain a person's names, by which two rows are compared. */
export function nameFieldsOf(fields: readonly { name: string; displayName: string }[]): string[] {
  return (['first name', 'last name'] as const).flatMap((role) => fieldWithRole(fields, role)?.displayName ?? [])
}

const otherNames =
  /^(?:middle|full|display|preferred|student|learner|participant|candidate|recipient)?name(?:oncertificate)?$/

/** @returns true if the field takes the name of a person or a part of it, as it is printed */
export function isPersonName(field: { name: string; displayName: string }): boolean {
  const role = roleOf(field)
  if (role !== null) return role === 'first name' || role === 'last name'
  return [field.name, field.displayName].some((name) => otherNames.test(looseName(name)))
}
