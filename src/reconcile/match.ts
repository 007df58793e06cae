// Which report item belongs to which issuance? Pure: a page of items and what the ledger knows of the people in it become findings.
// Nothing is guessed: an item that two issuances could own is nobody's, an item from before the first sending is never ours.

import { watchedStates } from '#src/issuance/state.ts'
import type { Candidate } from '#src/ledger/report.ts'

export interface MatchItem {
  /** entity_uuid where the item has one, else its fingerprint. */
  key: string
  fingerprint: string
  /** Hex; every way in which our rows could be sought by what this item shows. */
  hashes: readonly string[]
  /** YYYY-MM-DD or null. */
  requestDate: string | null
  certificateName: string | null
  firstSeenAt: Date
}

export type Finding<Item extends MatchItem> =
  | { kind: 'follow'; issuance: Candidate | null; issuanceId: number; item: Item; upgradeFrom: string | null }
  | { kind: 'claim'; issuance: Candidate; item: Item }
  | { kind: 'surplus'; issuance: Candidate; item: Item }
  | { kind: 'ambiguous'; issuances: Candidate[]; item: Item }
  /** `maybeOf` may own it all the same, but wait for a person, who decides; that their calls arrived is known by it. */
  | { kind: 'foreign'; item: Item; maybeOf: Candidate[] }

/**
 * @param isSomebodyElse whether the item shows another person than the row's: of two items for one row the one that shows the row's person is
 * its own, whichever comes first
 * @returns in the order of the items
 */
export function matchItems<Item extends MatchItem>(
  items: readonly Item[],
  known: { candidates: readonly Candidate[]; claims: ReadonlyMap<string, number> },
  isSomebodyElse: (candidate: Candidate, item: Item) => boolean = () => false,
): Finding<Item>[] {
  const byHash = new Map<string, Candidate[]>()
  for (const candidate of known.candidates)
    for (const hash of candidate.matchHashes) byHash.set(hash, [...(byHash.get(hash) ?? []), candidate])
  const byId = new Map(known.candidates.map((candidate) => [candidate.id, candidate]))
  const taken = new Set<number>()
  const upgraded = new Set<string>()
  const match = (item: Item): Finding<Item> => {
    // Two items may share a fingerprint; a claim by fingerprint is upgraded to one of them only.
    const provisional = upgraded.has(item.fingerprint) ? undefined : known.claims.get(item.fingerprint)
    const owner = known.claims.get(item.key) ?? provisional
    if (owner !== undefined) {
      const upgradeFrom = known.claims.has(item.key) ? null : item.fingerprint
      if (upgradeFrom) upgraded.add(upgradeFrom)
      return { kind: 'follow', issuanceId: owner, issuance: byId.get(owner) ?? null, item, upgradeFrom }
    }
    const possible = distinct(item.hashes.flatMap((hash) => byHash.get(hash) ?? [])).filter((candidate) =>
      couldOwn(candidate, item),
    )
    const unclaimed = possible.filter((each) => each.claimedKey === null && !taken.has(each.id))
    // A row that was proven absent waits to be sent again: what shows up before it goes out is its own.
    const free = unclaimed.filter((each) => each.state === 'pending' || watchedStates.includes(each.state))
    // One that waits for a person was sent as well: what comes late may be its item.
    const held = unclaimed.filter((each) => each.state === 'held')
    if (free.length > 1 || (free.length === 1 && held.length > 0)) return { kind: 'ambiguous', issuances: free, item }
    const [only] = free
    if (only) {
      taken.add(only.id)
      return { kind: 'claim', issuance: only, item }
    }
    // A call may be under way for one of them: its own item may be the one we see. The next scan tells.
    if (possible.some((each) => each.state === 'sending')) return { kind: 'foreign', item, maybeOf: held }
    const last = possible.filter((each) => each.claimedKey !== null || taken.has(each.id)).at(-1)
    return last ? { kind: 'surplus', issuance: last, item } : { kind: 'foreign', item, maybeOf: held }
  }
  // One that is claimed goes to its owner, whatever it shows.
  const isStrange = (item: Item) =>
    !known.claims.has(item.key) &&
    item.hashes.some((hash) => byHash.get(hash)?.some((candidate) => isSomebodyElse(candidate, item)))
  const found = new Map<Item, Finding<Item>>()
  for (const item of items) if (!isStrange(item)) found.set(item, match(item))
  for (const item of items) if (!found.has(item)) found.set(item, match(item))
  return items.map((item) => found.get(item) as Finding<Item>)
}

/** Whether an item may be what was asked for a candidate, by when it was seen, its course and its date. */
export function couldOwn(
  candidate: Candidate,
  item: Pick<MatchItem, 'firstSeenAt' | 'certificateName' | 'requestDate'>,
): boolean {
  // Seen in the very millisecond of the door is seen before it: our own item needs a call and another reading first.
  if (item.firstSeenAt <= candidate.firstSentAt) return false
  if (candidate.certificateName && item.certificateName && candidate.certificateName !== item.certificateName)
    return false
  if (!item.requestDate) return true
  // The service's time zone is not documented: a day either way.
  return item.requestDate >= dayOf(candidate.firstSentAt, -1) && item.requestDate <= dayOf(candidate.lastSentAt, 1)
}

function dayOf(at: Date, shift: number): string {
  return new Date(at.getTime() + shift * 86_400_000).toISOString().slice(0, 10)
}

function distinct(candidates: Candidate[]): Candidate[] {
  return [...new Set(candidates)].sort((a, b) => a.firstSentAt.getTime() - b.firstSentAt.getTime())
}
