// Finds which of the values that were sent appear in a report item, and under which keys. Pure.

import { foldedText } from '#src/domain/credential/person-index.ts'
import type { Echo } from '#src/ledger/probes.ts'

export type SeenEcho = Omit<Echo, 'searchable'>

/** Shorter values may match by coincidence. */
const minLength = 4

/** Returns each pair of a field and a report key that have the same value, either exactly or after folding. */
export function echoesIn(sent: Readonly<Record<string, string>>, item: Readonly<Record<string, unknown>>): SeenEcho[] {
  const shownValues = Object.entries(item).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [],
  )
  return Object.entries(sent)
    .filter(([, value]) => foldedText(value).length >= minLength)
    .flatMap(([field, value]) =>
      shownValues
        .filter(([, text]) => foldedText(text) === foldedText(value))
        .map(([key, text]): SeenEcho => ({ field, key, match: text === value ? 'exact' : 'folded' })),
    )
}

/** Keeps the pairs that were found for both people, because a single match may be a coincidence. */
export function confirmedEchoes(first: readonly SeenEcho[], second: readonly SeenEcho[]): SeenEcho[] {
  return first.flatMap((one) => {
    const other = second.find(({ field, key }) => field === one.field && key === one.key)
    if (!other) return []
    return [other.match === 'folded' ? other : one]
  })
}

/** Checks whether a report item belongs to a person, which means that it has one of the person's unique values. */
export function belongsTo(unique: readonly string[], item: Readonly<Record<string, unknown>>): boolean {
  const wanted = new Set(unique.map(foldedText))
  return Object.values(item).some((value) => typeof value === 'string' && wanted.has(foldedText(value)))
}
