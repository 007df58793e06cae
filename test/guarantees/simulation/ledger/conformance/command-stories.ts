// Short sequences of commands for paths that random commands seldom take.

import fc from 'fast-check'
import type { Answer, Command, Item } from './ledger-commands.ts'

interface Parts {
  item: fc.Arbitrary<Item>
  answer: fc.Arbitrary<Answer>
  size: fc.Arbitrary<number>
}

type HandOver = Extract<Command, { do: 'hand over' }>

/** Each begins with a list of people whom random commands never name, so that there is something to act on. */
export function stories({ item, answer, size }: Parts): fc.Arbitrary<Command[]> {
  const flat = fc.record({ size, answer, item, small: fc.nat({ max: 2 }), instance: fc.nat({ max: 1 }) })
  const allStories = [
    trouble,
    halves,
    workersDied,
    surplusItems,
    corrected,
    issuedWithoutCredential,
    staleScan,
    namedTwice,
    sameListAgain,
    changedList,
    braked,
  ]
  return fc
    .tuple(flat, flat, fc.integer({ min: 10, max: 90 }), fc.constantFrom(...allStories))
    .map(([a, b, person, story]) => [list(person), ...story({ ...a, person }, { ...b, person })])
}

interface Drawn {
  size: number
  answer: Answer
  item: Item
  small: number
  instance: number
  /** The first of the four people on the story's list. */
  person: number
}

const list = (first: number): Command => {
  const people = [0, 1, 2, 3].map((each) => ({ person: first + each, term: 1, name: 0, shout: false, grade: 0 }))
  return {
    do: 'hand over',
    file: first,
    people,
    course: 0,
    pipeline: 0,
    bad: false,
    short: false,
    brake: null,
    shows: null,
  }
}
const send = ({ size, instance }: Drawn): Command => ({ do: 'send', pipeline: 0, size, instance })
const end = (answer: Answer, more: Partial<Answer>): Command => {
  return { do: 'end', which: 0, late: false, answer: { ...answer, ...more }, thenPause: true }
}
const scan = (...items: Item[]): Command => {
  return { do: 'scan', items, settle: true, cut: false, resends: 1, daysBack: 9, afterMs: 900_000 }
}

/** Two calls in a row fail while a batch is prepared; then the canary is sent. */
function trouble(a: Drawn, b: Drawn): Command[] {
  const first = a.small === 0 ? 'refused' : a.small === 1 ? 'accepted' : 'unknown'
  const fails = (drawn: Drawn): Answer['class'] => (drawn.instance === 0 ? 'unknown' : 'refused')
  return [
    send(a),
    end(a.answer, { class: first }),
    send({ ...a, size: 1 }),
    send({ ...b, size: 1 }),
    { do: 'prepare', pipeline: 0, size: 1, canary: false, batches: 1 },
    end(a.answer, { class: fails(a) }),
    end(b.answer, { class: fails(b) }),
    { do: 'time passes', ms: 61_000 },
    { do: 'prepare', pipeline: 0, size: 3, canary: true, batches: 1 },
    { do: 'prepare', pipeline: 0, size: 3, canary: true, batches: 1 },
  ]
}

/** A batch is refused, is not in the report, and is sent again in halves, whose looks count from zero. */
function halves(a: Drawn, b: Drawn): Command[] {
  const refused = { class: 'refused', status: 500, trouble: false } as const
  const all = { ...a, size: 4 }
  return [send(all), end(a.answer, refused), scan(), scan(), send(all), end(b.answer, {}), send(all), scan(b.item)]
}

/** Workers die during their calls, which says nothing about the service, and are noticed after the deadline. */
function workersDied(a: Drawn, b: Drawn): Command[] {
  return [
    send({ ...a, size: 1 }),
    { do: 'time passes', ms: 120_000 },
    { do: 'lose', alive: null },
    { do: 'read queries' },
    send({ ...b, size: 1 }),
    end(b.answer, { class: 'unknown' }),
    scan(),
    scan(a.item),
  ]
}

/** An item for this story as it was requested, with what the report shows of it. */
const itemOf = ({ item, person, small }: Drawn, more: Partial<Item>): Item => {
  return { ...item, person: person + small, day: null, name: 0, entity: 0, revoked: false, ...more }
}

/** The whole list is sent and the call is accepted. */
const accepted = (drawn: Drawn): Command[] => {
  const all = { ...drawn, size: 5 }
  return [send(all), end(drawn.answer, { class: 'accepted' }), send(all), end(drawn.answer, { class: 'accepted' })]
}

/** Another item for a person, first without and then with an id. */
function surplusItems(a: Drawn): Command[] {
  const first = itemOf(a, { label: 'Request inqueue' })
  return [...accepted(a), scan(first), scan(first, { ...first, entity: null }), scan(first, { ...first, entity: 1 })]
}

/** An item whose id appears later than its status, and whose credential is hidden at times. */
function corrected(a: Drawn): Command[] {
  const done = itemOf(a, { label: 'Request Completed', credential: true })
  return [
    ...accepted(a),
    scan({ ...done, entity: null, label: 'Request inqueue' }),
    scan(done),
    scan({ ...done, credential: false, link: !done.link }),
    scan({ ...done, revoked: true }),
  ]
}

/**
 * A change says that a row is issued but not with which credential; all other changes of the same write are refused
 * with it.
 */
function issuedWithoutCredential(a: Drawn): Command[] {
  const move = { which: 0, from: 'in_progress', to: 'issued', credential: false } as const
  return [
    ...accepted(a),
    scan(itemOf(a, { label: 'Request Inprogress', credential: false })),
    { do: 'apply', claims: [{ which: 1, key: 3 }], upgrade: null, moves: [move], surplus: [], shown: [0] },
  ]
}

/** Two lists name the same people, and both get what the report shows. */
function namedTwice(a: Drawn): Command[] {
  const requested = [0, 1, 2, 3, 4, 5].map((run) => ({ do: 'write back', run, verb: 'request' }) as const)
  return [{ ...(list(a.person) as HandOver), file: a.person + 100 }, ...requested, ...accepted(a), scan(itemOf(a, {}))]
}

/** A finished list is submitted again. */
function sameListAgain(a: Drawn): Command[] {
  const alone = {
    ...(list(a.person) as HandOver),
    file: a.person + 200,
    course: 1,
    pipeline: 1,
  }
  const one: Command = { ...alone, people: alone.people.slice(0, 1) }
  const refused = { class: 'refused', status: 400, trouble: false } as const
  return [one, { ...send({ ...a, size: 1 }), pipeline: 1 } as Command, end(a.answer, refused), scan(), one, one]
}

/** The next list fills a field that the ledger does not know and changes a name; then a shorter list follows. */
function changedList(a: Drawn): Command[] {
  const first = list(a.person) as HandOver
  const named = first.people.map((person, at) => ({
    ...person,
    grade: at % 2,
    name: at === a.small ? 1 : 0,
    shout: at === 3,
  }))
  return [
    ...accepted(a),
    { ...first, file: a.person + 300, people: named },
    { do: 'write back', run: a.small, verb: 'read' },
    { ...first, file: a.person + 400, people: named.slice(0, 2) },
    { do: 'read queries' },
  ]
}

/** A list that is too large is held, submitted again, decided, and submitted once more, while another passes. */
function braked(a: Drawn, b: Drawn): Command[] {
  const first = list(a.person) as HandOver
  const long = { ...first, file: a.person + 500, people: first.people.map((person) => ({ ...person, term: 2 })) }
  const held: Command = { ...long, brake: { rows: a.small + 1, percent: 10 } }
  const answer = b.instance === 0 ? 'approve' : 'reject'
  const other: Command = { ...first, file: a.person + 600, brake: { percent: 10 } }
  return [
    held,
    held,
    { do: 'take work', forget: false },
    other,
    { do: 'decide', which: 0, answer },
    held,
    { do: 'read queries' },
  ]
}

/** One worker continues with a scan from before the last call, another with one from after it. */
function staleScan(a: Drawn, { answer, small }: Drawn): Command[] {
  const verb = (['noteLooks', 'sendAgain', 'hold'] as const)[small] ?? 'noteLooks'
  const write = { do: 'write directly' as const, verb, which: [0, 1, 2], cap: null }
  const unknown = end(answer, { class: 'unknown' })
  return [
    send(a),
    unknown,
    { ...write, agoMs: 300_000 },
    { ...write, verb: 'noteLooks' as const, agoMs: 0 },
    send(a),
    unknown,
  ]
}
