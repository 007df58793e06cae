// Compares two records of one person field by field. This is the comparison that src/ledger/runs/changed-fields.ts
// makes in the database, here for records that are already in memory. Pure.

import { roleOfName } from '#src/domain/recipient/field-role.ts'
import { withoutIdleMarks } from '#src/domain/recipient/invisible-characters.ts'
import { normalizePhone } from './identity-hasher.ts'

type Values = Readonly<Record<string, string>>

/**
 * Converts a value to the form in which it is compared. Two spellings of one address or number are equal, because they
 * lead to the same key. In an address only A to Z are lowercased, as in the database, where lowercasing other letters
 * depends on the locale.
 * @param field the display name of the value's field
 */
export function comparableValue(field: string, value: string): string {
  const plain = withoutIdleMarks(value).trim().normalize('NFC')
  const role = roleOfName(field)
  if (role === 'phone' && /^(?=[^0-9]*[0-9])[-0-9 +()./]+$/.test(plain)) return normalizePhone(plain)
  return role === 'email' ? plain.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : plain
}

/**
 * @returns the names of the fields that `fresh` fills differently from `known`, sorted. Fields that `fresh` leaves
 * empty do not count.
 */
export function differingValues(fresh: Values, known: Values): string[] {
  return Object.keys(fresh)
    .filter((name) => withoutIdleMarks(fresh[name] ?? '').trim() !== '')
    .filter((name) => comparableValue(name, fresh[name] ?? '') !== comparableValue(name, known[name] ?? ''))
    .sort()
}
