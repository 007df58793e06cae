// Decides whether the body of an event of a learning system holds data of one person, and of nobody else. The fields of
// events differ from system to system, so everything that looks like a person counts. Pure.

import { normalizeEmail } from '#src/domain/credential/identity-hasher.ts'

/** What names a person in events. */
export interface NamesInEvents {
  /** Their ids in the learning system that the event is about. */
  learners: ReadonlySet<string>
  /** Addresses, ID numbers and user names, as `valuesInEvents` makes them. */
  values: ReadonlySet<string>
}

type Cells = Readonly<Record<string, string>>

/** Columns of a completion that name a learner in events. */
const namingColumns = ['email', 'username', 'idnumber']

/** The addresses of recipients, and what names learners in the cells of their completions. */
export function valuesInEvents(recipients: readonly Cells[], completions: readonly Cells[]): ReadonlySet<string> {
  const addresses = recipients.flatMap((recipient) => Object.values(recipient).filter((value) => value.includes('@')))
  const names = completions.flatMap((cells) => namingColumns.flatMap((column) => cells[column] || []))
  return new Set([...addresses, ...names].map(normalizeEmail).filter((value) => value !== ''))
}

/** `nobody`: the person is not found. `shared`: other people are found beside them, or may be. */
export type PeopleInEvent = 'nobody' | 'alone' | 'shared'

/** Names of the fields whose values are ids of people, as learning systems and xAPI call them. */
const idOfPerson = /^(?:.*user_?id|user|user_?name|login|id_?number|learner.*|student.*|candidate.*|sub)$/i
/** The id in one of these objects is that of a person, as in `user: { id: 17 }`. */
const personObject = /^(?:user|learner|student|candidate|actor|account|person|recipient|agent)$/i
const betweenWords = /[\s"'<>:;,()\\]/
const maxDepth = 50

export function peopleInEvent(body: Buffer, { learners: ownIds, values: own }: NamesInEvents): PeopleInEvent {
  const text = body.toString('utf8')
  const parsed = parse(text)
  const found = { own: 0, others: 0 }
  const count = (isOwn: boolean) => void (isOwn ? found.own++ : found.others++)
  for (const { key, parent, value } of parsed === undefined ? [textLeaf(text)] : leavesOf(parsed)) {
    const addresses = value.split(betweenWords).filter(isAddress)
    for (const address of addresses) count(own.has(normalizeEmail(address)))
    if (addresses.length > 0) continue
    if (own.has(normalizeEmail(value))) count(true)
    else if (value !== '' && isIdOfPerson(key, parent)) count(ownIds.has(value))
  }
  // In text of an unknown form, other people may be named in any way.
  if (parsed === undefined && found.own === 0) return containsAny(text, own) ? 'shared' : 'nobody'
  if (found.own === 0) return 'nobody'
  return found.others > 0 || parsed === undefined ? 'shared' : 'alone'
}

/** A system may also have addresses without a dot in the domain; they count as text. */
function isAddress(word: string): boolean {
  const at = word.indexOf('@')
  return at > 0 && word.lastIndexOf('.') > at + 1
}

/** The name of a person is no id, except that of an account in xAPI. */
function isIdOfPerson(key: string, parent: string): boolean {
  if (idOfPerson.test(key) || (key === 'id' && personObject.test(parent))) return true
  return key === 'name' && parent === 'account'
}

interface Leaf {
  key: string
  parent: string
  value: string
}

const textLeaf = (value: string): Leaf => ({ key: '', parent: '', value })

function containsAny(text: string, values: ReadonlySet<string>): boolean {
  const folded = normalizeEmail(text)
  return [...values].some((value) => folded.includes(value))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function* leavesOf(value: unknown, key = '', parent = '', depth = 0): Generator<Leaf> {
  if (depth > maxDepth) return
  if (Array.isArray(value)) for (const each of value) yield* leavesOf(each, key, parent, depth + 1)
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) {
      // In xAPI this is the account of the sender, the same in every statement.
      if (name !== 'authority') yield* leavesOf(each, name, key, depth + 1)
    }
  else if (typeof value === 'string' || typeof value === 'number') yield { key, parent, value: String(value) }
}
