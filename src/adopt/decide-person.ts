// What becomes of one person's items, by what the ledger knows: adopted, given to a row that waits, noted beside a credential, or left. Pure.

import type { AdoptionStanding, KnownIssuance } from '#src/ledger/adoption-standing.ts'
import type { AdoptionBatch } from '#src/ledger/adoptions.ts'
import { couldOwn } from '#src/reconcile/match.ts'
import type { Person, PersonItem } from './gather-people.ts'

export interface PersonDecision {
  adopted: PersonItem | null
  /** A row that waited to be sent, or that failed, takes this one. */
  taken: PersonItem | null
  /** What the ledger has of the person's row already, where that failed, or was rejected: nobody has a credential by it. */
  refused: 'failed' | 'rejected' | null
  /** Of a failed row without a credential: how many of the items that are noted beside it are worth something, where the ledger counts others. */
  worth: number | null
  /** Items that the ledger has already. */
  known: PersonItem[]
  /** Valid ones beside a credential. */
  surplus: PersonItem[]
  /** Revoked, rejected and failed ones beside a credential. */
  spent: PersonItem[]
  /** Left as they are, and why. */
  left: { item: PersonItem; because: string }[]
}

export function decidePerson(person: Person, standing: AdoptionStanding): PersonDecision {
  const items = [person.credential, ...person.more, ...person.spent]
  const issuance = standing.issuances.get(person.key)
  const failed = issuance?.state === 'failed' && !issuance.credential
  const refused = failed ? 'failed' : issuance?.state === 'rejected' ? 'rejected' : null
  const nothing = { known: [], surplus: [], spent: [], left: [] }
  const decision: PersonDecision = { adopted: null, taken: null, refused, worth: null, ...nothing }
  const fresh: PersonItem[] = []
  const noted: PersonItem[] = []
  for (const item of items) {
    const has = standing.items.get(item.key) ?? standing.items.get(item.fingerprint)
    const beside = standing.beside.get(item.key) ?? standing.beside.get(item.fingerprint)
    if (failed && beside === issuance.id) noted.push(item)
    else if (has === 'of this course') decision.known.push(item)
    else if (has) decision.left.push({ item, because: 'the ledger has it as a credential of another course' })
    else fresh.push(item)
  }
  const open = [...fresh, ...noted]
  const why = open.length > 0 ? whyLeft(open, issuance, standing) : null
  if (why !== null) {
    decision.known.push(...noted)
    decision.left.push(...fresh.map((item) => ({ item, because: why })))
    return decision
  }
  // Only one that is worth something makes a person known, or keeps a row from being sent.
  const [best] = fresh.filter((item) => !isRefused(item))
  if (!issuance && best) decision.adopted = best
  else if (best && issuance?.state === 'pending' && isValid(best)) decision.taken = best
  else if (failed) decision.taken = open.find(isValid) ?? null
  for (const item of noted) if (item !== decision.taken) decision.known.push(item)
  const worth = noted.filter((item) => isValid(item) && item !== decision.taken).length
  if (failed && worth !== issuance.surplus) decision.worth = worth
  for (const item of fresh) {
    if (item === decision.adopted || item === decision.taken) continue
    decision[isValid(item) ? 'surplus' : 'spent'].push(item)
  }
  return decision
}

function isRefused({ reading }: PersonItem): boolean {
  return reading.kind === 'state' && (reading.state === 'rejected' || reading.state === 'failed')
}

function isValid(item: PersonItem): boolean {
  return !isRefused(item) && !(item.reading.kind === 'state' && item.reading.state === 'revoked')
}

/** What may be a row's own is the reconciler's to decide; null when nothing is on its way for these items. */
function whyLeft(
  fresh: readonly PersonItem[],
  issuance: KnownIssuance | undefined,
  { underWay, firstSeen }: AdoptionStanding,
): string | null {
  if (issuance?.state === 'pending' && (issuance.sent || issuance.decided))
    return `i${issuance.id} waits to be sent again`
  if (
    issuance &&
    !issuance.claimed &&
    ['sending', 'unconfirmed', 'requested', 'in_progress', 'held'].includes(issuance.state)
  )
    return `i${issuance.id} is ${issuance.state === 'held' ? 'held for a person' : 'under way'}, and one of them may be its own`
  const owner = underWay.find((candidate) =>
    fresh.some(
      (item) =>
        candidate.matchHashes.some((hash) => item.hashes.includes(hash)) &&
        couldOwn(candidate, { ...item, firstSeenAt: firstSeen.get(item.key) ?? item.at }),
    ),
  )
  return owner ? `it may be the one that i${owner.id} waits for` : null
}

/** What is to be written for these people. */
export function batchOf(decided: readonly { person: Person; decision: PersonDecision }[]): AdoptionBatch {
  const row = (item: PersonItem | null) => (item ? [adoptedItem(item)] : [])
  const beside = (counts: boolean) => (person: Person, items: readonly PersonItem[]) =>
    items.map(({ key, fingerprint }) => ({ issuanceKey: person.key, key, fingerprint, counts }))
  return {
    fresh: decided.flatMap(({ decision }) => row(decision.adopted)),
    waiting: decided.flatMap(({ decision }) => row(decision.taken)),
    recounted: decided.flatMap(({ person, decision }) =>
      decision.worth === null ? [] : [{ issuanceKey: person.key, surplus: decision.worth }],
    ),
    spare: decided.flatMap(({ person, decision }) => [
      ...beside(true)(person, decision.surplus),
      ...beside(false)(person, decision.spent),
    ]),
  }
}

function adoptedItem(item: PersonItem): AdoptionBatch['fresh'][number] {
  const { key, fingerprint, requestDate, fields, recipient, issuanceKey, identityHash, matchHashes, reading } = item
  if (reading.kind !== 'state') throw new TypeError('Only an item with a state is adopted.')
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
