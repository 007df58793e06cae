// Determines the keys by which the report can be searched for the people on a list, and compares items with people.
// Pure.

import { type MatchKind, normalizeMatch } from '#src/domain/credential/identity-hasher.ts'
import type { IdentityRule } from '#src/domain/credential/person-hashes.ts'
import { type FieldRole, keyWithRole } from '#src/domain/recipient/field-role.ts'
import { recipientKeys } from '#src/issuer/report/newest-items.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import type { Echo } from '#src/ledger/probes.ts'

export type Recipient = Readonly<Record<string, string>>
export type SearchKey = (typeof recipientKeys)[number]

export interface PersonKey {
  key: SearchKey
  /** Returns the values that the report may show for a recipient under this key; empty if the recipient has none. */
  valuesOf(recipient: Recipient): string[]
}

/**
 * Returns the most reliable keys first: keys that a probe found to be echoed and searchable, then the key of the
 * pipeline's correlation, then the keys that correspond to field roles.
 * @param echoes the echoes that a probe of the course found
 */
export function personKeys(correlation: IdentityRule['correlation'], echoes: readonly Echo[]): PersonKey[] {
  const ofField = (key: SearchKey, field: string): PersonKey => ({
    key,
    valuesOf: (recipient) => listOf(recipient[field]),
  })
  const echoed = echoes.flatMap(({ field, key, match, searchable }) => {
    const known = recipientKeys.find((recipientKey) => recipientKey === key)
    return known && match === 'exact' && searchable ? [ofField(known, field)] : []
  })
  const correlated = correlation && recipientKeys.find((recipientKey) => recipientKey === correlation.kind)
  const all: PersonKey[] = [
    ...echoed,
    ...(correlation && correlated ? [ofField(correlated, correlation.field)] : []),
    { key: 'email_', valuesOf: (recipient) => listOf(withRole(recipient, 'email')) },
    // It is not documented whether the report shows a number with its dial code.
    { key: 'contact_number', valuesOf: numbersOf },
  ]
  const unsearchable = new Set(echoes.filter(({ searchable }) => searchable === false).map(({ key }) => key))
  return all.filter(({ key }, at) => !unsearchable.has(key) && all.findIndex((other) => other.key === key) === at)
}

/**
 * Returns whether an item shows one of the values. As in every other comparison, case is ignored, and only the digits
 * of phone numbers are compared.
 */
export function showsValue(item: ReportItem, key: SearchKey, values: readonly string[]): boolean {
  const shown = normalized(key, item[key])
  return shown !== '' && values.some((value) => normalized(key, value) === shown)
}

/** Returns the items of each person for whom any of the keys matches an item. */
export function itemsOfEachPerson(
  items: readonly ReportItem[],
  keys: readonly PersonKey[],
  people: readonly Recipient[],
) {
  const byValue = new Map<string, ReportItem[]>()
  const nameOf = (key: SearchKey, value: string) => `${key} ${value}`
  for (const item of items)
    for (const { key } of keys) {
      const value = normalized(key, item[key])
      if (value !== '') byValue.set(nameOf(key, value), [...(byValue.get(nameOf(key, value)) ?? []), item])
    }
  const itemsOf = (person: Recipient) =>
    keys.flatMap(({ key, valuesOf }) =>
      valuesOf(person).flatMap((value) => byValue.get(nameOf(key, normalized(key, value))) ?? []),
    )
  return people.map((person) => [...new Set(itemsOf(person))]).filter((found) => found.length > 0)
}

function normalized(key: SearchKey, value: string | null | undefined): string {
  return value ? normalizeMatch(kindOf(key), value) : ''
}

function kindOf(key: SearchKey): MatchKind {
  if (key === 'email_') return 'email'
  return key === 'contact_number' ? 'phone' : 'uid'
}

function listOf(value: string | undefined): string[] {
  return value ? [value] : []
}

function withRole(recipient: Recipient, role: FieldRole): string | undefined {
  const key = keyWithRole(Object.keys(recipient), role)
  return key === undefined ? undefined : recipient[key]
}

function numbersOf(recipient: Recipient): string[] {
  const number = withRole(recipient, 'phone')
  if (!number) return []
  const dial = withRole(recipient, 'dial code')
  return dial ? [number, `${dial}${number}`] : [number]
}
