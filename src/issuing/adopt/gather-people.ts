// Groups a course's items by person and occasion, and chooses which of them is the credential. Pure.

import type { ItemInReport } from './read-course-items.ts'
import type { RecipientInReport, RecipientReader } from './recipient-reader.ts'

export interface PersonItem extends ItemInReport, RecipientInReport {}

export interface Person {
  /** The issuance key, in hex. */
  key: string
  /** The best item: an issued one, otherwise one in progress, otherwise a revoked one. Of several, the newest. */
  credential: PersonItem
  /** Other items that are valid or in progress. */
  more: PersonItem[]
  /** Other items that are revoked, rejected or failed. */
  spent: PersonItem[]
}

export interface GatheredPeople {
  people: Person[]
  /** Rejected items of people who have no credential. */
  rejected: ItemInReport[]
  /** Failed items of people who have no credential. */
  failed: ItemInReport[]
  /** Items whose status implies nothing about a credential, or is not documented. */
  unread: ItemInReport[]
  /** Items that cannot match anyone on a list, with the reason. */
  unmatched: { item: ItemInReport; because: string }[]
}

const ranks = { issued: 3, in_progress: 2, requested: 2, revoked: 1 } as const

export function gatherPeople(items: readonly ItemInReport[], reader: Pick<RecipientReader, 'read'>): GatheredPeople {
  const gathered: GatheredPeople = { people: [], rejected: [], failed: [], unread: [], unmatched: [] }
  const itemsByPerson = new Map<string, PersonItem[]>()
  for (const item of items) {
    if (item.reading.kind !== 'state') {
      gathered.unread.push(item)
      continue
    }
    const read = reader.read(item.item)
    if ('unmatched' in read) {
      // An item without a credential is counted in the same way, regardless of its owner.
      const { state } = item.reading
      if (state === 'rejected' || state === 'failed') gathered[state].push(item)
      else gathered.unmatched.push({ item, because: read.unmatched })
      continue
    }
    const key = read.issuanceKey.toString('hex')
    const items = itemsByPerson.get(key)
    if (items) items.push({ ...item, ...read })
    else itemsByPerson.set(key, [{ ...item, ...read }])
  }
  for (const [key, all] of itemsByPerson) {
    const sorted = all.toSorted(bestFirst)
    const [credential, ...others] = sorted
    if (!credential || rankOf(credential) === 0) {
      for (const each of sorted) gathered[stateOf(each) === 'rejected' ? 'rejected' : 'failed'].push(each)
      continue
    }
    const more = others.filter((other) => rankOf(other) > 1)
    gathered.people.push({ key, credential, more, spent: others.filter((other) => rankOf(other) < 2) })
  }
  return gathered
}

export function stateOf({ reading }: Pick<ItemInReport, 'reading'>): string {
  return reading.kind === 'state' ? reading.state : reading.kind
}

function rankOf(item: ItemInReport): number {
  return ranks[stateOf(item) as keyof typeof ranks] ?? 0
}

function bestFirst(a: ItemInReport, b: ItemInReport): number {
  const rank = (item: ItemInReport) =>
    [rankOf(item), item.requestDate ?? '', item.fields.issueDate ?? '', item.key] as const
  const [one, other] = [rank(a), rank(b)]
  for (const [at, value] of one.entries()) {
    const otherValue = other[at] as typeof value
    if (value !== otherValue) return value < otherValue ? 1 : -1
  }
  return 0
}
