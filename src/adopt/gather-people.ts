// The items of a course, by person and occasion: which of them is the credential, and which stand beside it. Pure.

import type { ShownItem } from './read-course.ts'
import type { RecipientReader, ShownRecipient } from './shown-recipient.ts'

export interface PersonItem extends ShownItem, ShownRecipient {}

export interface Person {
  /** Hex. */
  key: string
  /** The newest valid one: an issued one before one under way, and that before a revoked one. */
  credential: PersonItem
  /** Valid ones beside it, or on their way to be. */
  more: PersonItem[]
  /** Revoked, rejected and failed ones beside it. */
  spent: PersonItem[]
}

export interface Gathered {
  people: Person[]
  /** Of people who have nothing else: nobody has a credential by them. */
  rejected: ShownItem[]
  failed: ShownItem[]
  /** Under a status that says nothing about a credential, or that is not documented. */
  unread: ShownItem[]
  unmatched: { item: ShownItem; because: string }[]
}

const ranks = { issued: 3, in_progress: 2, requested: 2, revoked: 1 } as const

export function gatherPeople(items: readonly ShownItem[], reader: Pick<RecipientReader, 'read'>): Gathered {
  const gathered: Gathered = { people: [], rejected: [], failed: [], unread: [], unmatched: [] }
  const persons = new Map<string, PersonItem[]>()
  for (const item of items) {
    if (item.reading.kind !== 'state') {
      gathered.unread.push(item)
      continue
    }
    const read = reader.read(item.item)
    if ('unmatched' in read) {
      // Nobody has a credential by it, so it matters to nobody whose it is.
      const { state } = item.reading
      if (state === 'rejected' || state === 'failed') gathered[state].push(item)
      else gathered.unmatched.push({ item, because: read.unmatched })
      continue
    }
    const key = read.issuanceKey.toString('hex')
    const of = persons.get(key)
    if (of) of.push({ ...item, ...read })
    else persons.set(key, [{ ...item, ...read }])
  }
  for (const [key, all] of persons) {
    const sorted = all.toSorted(byWorth)
    const [credential, ...others] = sorted
    if (!credential || rankOf(credential) === 0) {
      for (const each of sorted) gathered[stateOf(each) === 'rejected' ? 'rejected' : 'failed'].push(each)
      continue
    }
    const more = others.filter((each) => rankOf(each) > 1)
    gathered.people.push({ key, credential, more, spent: others.filter((each) => rankOf(each) < 2) })
  }
  return gathered
}

export function stateOf({ reading }: Pick<ShownItem, 'reading'>): string {
  return reading.kind === 'state' ? reading.state : reading.kind
}

function rankOf(item: ShownItem): number {
  return ranks[stateOf(item) as keyof typeof ranks] ?? 0
}

function byWorth(a: ShownItem, b: ShownItem): number {
  const worth = (item: ShownItem) =>
    [rankOf(item), item.requestDate ?? '', item.fields.issueDate ?? '', item.key] as const
  const [one, other] = [worth(a), worth(b)]
  for (const [at, value] of one.entries()) {
    const against = other[at] as typeof value
    if (value !== against) return value < against ? 1 : -1
  }
  return 0
}
