// Which fields two records of one person fill otherwise: what src/ledger/changed-fields.ts asks the database, for whoever has both at hand.

import { roleOfName } from '#src/recipients/field-role.ts'
import { withoutIdle } from '#src/recipients/unseen-marks.ts'
import { normalisePhone } from './identity.ts'

type Values = Readonly<Record<string, string>>

/**
 * Two spellings of one address or number are no change: they fit one key. Only A to Z lose their case in an address, as in the database, whose own
 * letters depend on its locale.
 * @param field its display name
 */
export function comparableValue(field: string, value: string): string {
  const plain = withoutIdle(value).trim().normalize('NFC')
  const role = roleOfName(field)
  if (role === 'phone' && /^[-0-9 +()./]*[0-9][-0-9 +()./]*$/.test(plain)) return normalisePhone(plain)
  return role === 'email' ? plain.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : plain
}

/** The names of the fields that `fresh` fills and `known` does not fill alike, sorted. What is not filled any more does not count. */
export function differingValues(fresh: Values, known: Values): string[] {
  return Object.keys(fresh)
    .filter((name) => withoutIdle(fresh[name] ?? '').trim() !== '')
    .filter((name) => comparableValue(name, fresh[name] ?? '') !== comparableValue(name, known[name] ?? ''))
    .sort()
}
