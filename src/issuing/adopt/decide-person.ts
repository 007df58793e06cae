// Decides what happens to each report item of one person, based on what the ledger already has: adopt it, assign it to
// a waiting row, record it as a surplus item, or leave it unchanged. Pure.

import { couldOwn } from '#src/issuing/reconcile/match-items.ts'
import type { AdoptionBatch } from '#src/ledger/report/adoptions.ts'
import type { ForgottenInReport, KnownForAdoption, KnownIssuance } from '#src/ledger/report/known-for-adoption.ts'
import type { Person, PersonItem } from './gather-people.ts'

export interface PersonDecision {
  adopted: PersonItem | null
  /** Assigned to a row that was waiting to be sent or had failed. */
  taken: PersonItem | null
  /**
   * The state of the person's row in the ledger if the row failed or was rejected, and therefore has no credential.
   */
  refused: 'failed' | 'rejected' | null
  /**
   * For a failed row without a credential: the correct number of other valid items, if the ledger has a different
   * count.
   */
  recount: number | null
  /** Items that the ledger already has. */
  known: PersonItem[]
  /** Valid items other than the credential. */
  surplus: PersonItem[]
  /** Revoked, rejected and failed items other than the credential. */
  spent: PersonItem[]
  /** Items of a person who asked to be forgotten. Nothing about them is stored. */
  forgotten: PersonItem[]
  /** Items that are left unchanged, with the reason. The next adoption decides about them again. */
  left: { item: PersonItem; because: string }[]
}

export function decidePerson(person: Person, known: KnownForAdoption): PersonDecision {
  const items = [person.credential, ...person.more, ...person.spent]
  const issuance = known.issuances.get(person.key)
  const failed = issuance?.state === 'failed' && !issuance.credential
  const refused = failed ? 'failed' : issuance?.state === 'rejected' ? 'rejected' : null
  const noItems = { known: [], surplus: [], spent: [], forgotten: [], left: [] }
  const decision: PersonDecision = { adopted: null, taken: null, refused, recount: null, ...noItems }
  const newItems: PersonItem[] = []
  const besideFailed: PersonItem[] = []
  for (const item of items) {
    const knownAs = known.items.get(item.key) ?? known.items.get(item.fingerprint)
    const besideIssuance = known.surplusOwners.get(item.key) ?? known.surplusOwners.get(item.fingerprint)
    if (failed && besideIssuance === issuance.id) besideFailed.push(item)
    else if (knownAs === 'of this course') decision.known.push(item)
    else if (knownAs) decision.left.push({ item, because: 'the ledger has it as a credential of another course' })
    else newItems.push(item)
  }
  const erased = issuance ? undefined : known.forgotten.get(person.key)
  if (erased?.kind === 'forgotten') {
    decision.forgotten.push(...newItems)
    return decision
  }
  if (erased) {
    const because = whyUnclear(erased)
    decision.left.push(...newItems.map((item) => ({ item, because })))
    return decision
  }
  const undecided = [...newItems, ...besideFailed]
  const because = undecided.length > 0 ? whyLeftAlone(undecided, issuance, known) : null
  if (because !== null) {
    decision.known.push(...besideFailed)
    decision.left.push(...newItems.map((item) => ({ item, because })))
    return decision
  }
  // A rejected or failed item neither makes a person known nor prevents a row from being sent.
  const [best] = newItems.filter((item) => !isRefused(item))
  if (!issuance && best) decision.adopted = best
  else if (best && issuance?.state === 'pending' && isValid(best)) decision.taken = best
  else if (failed) decision.taken = undecided.find(isValid) ?? null
  for (const item of besideFailed) if (item !== decision.taken) decision.known.push(item)
  const validCount = besideFailed.filter((item) => isValid(item) && item !== decision.taken).length
  if (failed && validCount !== issuance.surplus) decision.recount = validCount
  for (const item of newItems) {
    if (item === decision.adopted || item === decision.taken) continue
    decision[isValid(item) ? 'surplus' : 'spent'].push(item)
  }
  return decision
}

function whyUnclear({ kind, issuance, day }: ForgottenInReport): string {
  const when = `on ${day}${issuance === null ? '' : ` (i${issuance})`}`
  return kind === 'known'
    ? `the data of its person expired ${when}, who had another identity`
    : `somebody with the same address, number or identity was forgotten ${when}, or their data expired, and it may be theirs`
}

function isRefused({ reading }: PersonItem): boolean {
  return reading.kind === 'state' && (reading.state === 'rejected' || reading.state === 'failed')
}

function isValid(item: PersonItem): boolean {
  return !isRefused(item) && !(item.reading.kind === 'state' && item.reading.state === 'revoked')
}

/**
 * Returns the reason for leaving these items unchanged: one of them may belong to a row that was sent, so the
 * reconciler has to decide. Null if none of them can belong to such a row.
 */
function whyLeftAlone(
  items: readonly PersonItem[],
  issuance: KnownIssuance | undefined,
  { underWay, firstSeen }: KnownForAdoption,
): string | null {
  if (issuance?.state === 'pending' && (issuance.sent || issuance.decided))
    return `i${issuance.id} is waiting to be sent again`
  if (
    issuance &&
    !issuance.claimed &&
    ['sending', 'unconfirmed', 'requested', 'in_progress', 'held'].includes(issuance.state)
  )
    return `i${issuance.id} is ${issuance.state === 'held' ? 'held for a decision' : 'under way'}, and one of the items may belong to it`
  const owner = underWay.find((candidate) =>
    items.some(
      (item) =>
        candidate.matchHashes.some((hash) => item.hashes.includes(hash)) &&
        couldOwn(candidate, { ...item, firstSeenAt: firstSeen.get(item.key) ?? item.receivedAt }),
    ),
  )
  return owner ? `it may be the item that i${owner.id} is waiting for` : null
}

/** Collects the writes for these people. */
export function batchOf(decided: readonly { person: Person; decision: PersonDecision }[]): AdoptionBatch {
  const rowsFor = (item: PersonItem | null) => (item ? [adoptedItem(item)] : [])
  const spareRows = (counts: boolean) => (person: Person, items: readonly PersonItem[]) =>
    items.map(({ key, fingerprint }) => ({ issuanceKey: person.key, key, fingerprint, countsAsSurplus: counts }))
  return {
    fresh: decided.flatMap(({ decision }) => rowsFor(decision.adopted)),
    waiting: decided.flatMap(({ decision }) => rowsFor(decision.taken)),
    recounted: decided.flatMap(({ person, decision }) =>
      decision.recount === null ? [] : [{ issuanceKey: person.key, surplus: decision.recount }],
    ),
    extraItems: decided.flatMap(({ person, decision }) => [
      ...spareRows(true)(person, decision.surplus),
      ...spareRows(false)(person, decision.spent),
    ]),
  }
}

function adoptedItem(item: PersonItem): AdoptionBatch['fresh'][number] {
  const { key, fingerprint, requestDate, fields, recipient, issuanceKey, identityHash, matchHashes, reading } = item
  if (reading.kind !== 'state') throw new TypeError('Only an item with a state can be adopted.')
  return {
    state: reading.state,
    key,
    fingerprint,
    requestDate,
    fields,
    recipient,
    issuanceKey,
    identityHash,
    matchHashes,
  }
}
