// Matches a page of report items to the issuances of the same people. Nothing is guessed: an item that could belong to
// two issuances is assigned to neither, and an item that was seen before the first sending never belongs to an
// issuance. Pure.

import { watchedStates } from '#src/domain/credential/state.ts'
import type { Candidate } from '#src/ledger/report/report-items.ts'

export interface MatchItem {
  /** entity_uuid if the item has one, otherwise its fingerprint. */
  key: string
  fingerprint: string
  /** The hashes, in hex, by which an issuance could match the values that this item shows. */
  hashes: readonly string[]
  /** YYYY-MM-DD or null. */
  requestDate: string | null
  certificateName: string | null
  firstSeenAt: Date
}

export type MatchFinding<Item extends MatchItem> =
  | { kind: 'follow'; issuance: Candidate | null; issuanceId: number; item: Item; upgradeFrom: string | null }
  | { kind: 'claim'; issuance: Candidate; item: Item }
  | { kind: 'surplus'; issuance: Candidate; item: Item }
  | { kind: 'ambiguous'; issuances: Candidate[]; item: Item }
  /**
   * `possibleOwners`: held rows that the item may belong to. An operator decides about them, but the item proves that
   * they arrived.
   */
  | { kind: 'foreign'; item: Item; possibleOwners: Candidate[] }

/**
 * @param isSomebodyElse whether the item shows a different person from the row. If there are two items for one row, the
 * one that shows the row's person belongs to it, whichever comes first
 * @returns one finding for each item, in the same order
 */
export function matchItems<Item extends MatchItem>(
  items: readonly Item[],
  known: { candidates: readonly Candidate[]; claims: ReadonlyMap<string, number> },
  isSomebodyElse: (candidate: Candidate, item: Item) => boolean = () => false,
): MatchFinding<Item>[] {
  const byHash = new Map<string, Candidate[]>()
  for (const candidate of known.candidates)
    for (const hash of candidate.matchHashes) byHash.set(hash, [...(byHash.get(hash) ?? []), candidate])
  const byId = new Map(known.candidates.map((candidate) => [candidate.id, candidate]))
  const claimedNow = new Set<number>()
  const upgraded = new Set<string>()
  const match = (item: Item): MatchFinding<Item> => {
    // Two items may have the same fingerprint. A claim by fingerprint is upgraded for only one of them.
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
    const unclaimed = possible.filter((each) => each.claimedKey === null && !claimedNow.has(each.id))
    // A pending row may be one that was proven absent and is about to be sent again. An item that appears before then
    // belongs to it.
    const free = unclaimed.filter((each) => each.state === 'pending' || watchedStates.includes(each.state))
    // Held rows were sent as well, so a late item may belong to one.
    const held = unclaimed.filter((each) => each.state === 'held')
    if (free.length > 1 || (free.length === 1 && held.length > 0)) return { kind: 'ambiguous', issuances: free, item }
    const [onlyFree] = free
    if (onlyFree) {
      claimedNow.add(onlyFree.id)
      return { kind: 'claim', issuance: onlyFree, item }
    }
    // The item may belong to a row that is being sent right now. The next scan will show it.
    if (possible.some((each) => each.state === 'sending')) return { kind: 'foreign', item, possibleOwners: held }
    const lastOwner = possible.filter((each) => each.claimedKey !== null || claimedNow.has(each.id)).at(-1)
    return lastOwner ? { kind: 'surplus', issuance: lastOwner, item } : { kind: 'foreign', item, possibleOwners: held }
  }
  // A claimed item is assigned to its owner, whatever the item shows.
  const showsSomebodyElse = (item: Item) =>
    !known.claims.has(item.key) &&
    item.hashes.some((hash) => byHash.get(hash)?.some((candidate) => isSomebodyElse(candidate, item)))
  const found = new Map<Item, MatchFinding<Item>>()
  for (const item of items) if (!showsSomebodyElse(item)) found.set(item, match(item))
  for (const item of items) if (!found.has(item)) found.set(item, match(item))
  return items.map((item) => found.get(item) as MatchFinding<Item>)
}

/**
 * Returns whether an item may result from a candidate's request, given when it was first seen, its course and its date.
 */
export function couldOwn(
  candidate: Candidate,
  item: Pick<MatchItem, 'firstSeenAt' | 'certificateName' | 'requestDate'>,
): boolean {
  // An item that was seen in the same millisecond as the claim is older than the call: an item of this row can be seen
  // only after the call, in a later scan.
  if (item.firstSeenAt <= candidate.firstSentAt) return false
  if (candidate.certificateName && item.certificateName && candidate.certificateName !== item.certificateName)
    return false
  if (!item.requestDate) return true
  // The service's time zone is not documented, so the date may differ by one day.
  return item.requestDate >= dayOf(candidate.firstSentAt, -1) && item.requestDate <= dayOf(candidate.lastSentAt, 1)
}

function dayOf(time: Date, shiftDays: number): string {
  return new Date(time.getTime() + shiftDays * 86_400_000).toISOString().slice(0, 10)
}

function distinct(candidates: Candidate[]): Candidate[] {
  return [...new Set(candidates)].sort((a, b) => a.firstSentAt.getTime() - b.firstSentAt.getTime())
}
