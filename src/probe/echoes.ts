// Which of the values that were sent come back in the report, and under which of its keys. Pure.

import { foldedText } from '#src/issuance/folded-text.ts'
import type { Echo } from '#src/ledger/probes.ts'

export type SeenEcho = Omit<Echo, 'searchable'>

/** Shorter values may stand somewhere by chance. */
const shortestTold = 4

/** Every pair of a field and a report key that hold the same value, exactly or folded. */
export function echoesIn(sent: Readonly<Record<string, string>>, item: Readonly<Record<string, unknown>>): SeenEcho[] {
  const shown = Object.entries(item).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [],
  )
  return Object.entries(sent)
    .filter(([, value]) => foldedText(value).length >= shortestTold)
    .flatMap(([field, value]) =>
      shown
        .filter(([, text]) => foldedText(text) === foldedText(value))
        .map(([key, text]): SeenEcho => ({ field, key, match: text === value ? 'exact' : 'folded' })),
    )
}

/** What holds for both of two people: a value that came back once may have stood there by chance. */
export function confirmed(first: readonly SeenEcho[], second: readonly SeenEcho[]): SeenEcho[] {
  return first.flatMap((one) => {
    const other = second.find(({ field, key }) => field === one.field && key === one.key)
    if (!other) return []
    return [other.match === 'folded' ? other : one]
  })
}

/** Whether an item is this person's: it shows one of the values that nobody else has. */
export function isOf(own: readonly string[], item: Readonly<Record<string, unknown>>): boolean {
  const wanted = new Set(own.map(foldedText))
  return Object.values(item).some((value) => typeof value === 'string' && wanted.has(foldedText(value)))
}
