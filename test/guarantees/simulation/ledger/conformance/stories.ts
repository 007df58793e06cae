// A few commands in a row that lead where dice seldom do.

import fc from 'fast-check'
import type { Answer, Command, Item } from './commands.ts'

interface Parts {
  item: fc.Arbitrary<Item>
  answer: fc.Arbitrary<Answer>
  size: fc.Arbitrary<number>
}

type HandOver = Extract<Command, { do: 'hand over' }>

/** Each begins with a list of people whom no dice name, so that there is somebody to tell of. */
export function stories({ item, answer, size }: Parts): fc.Arbitrary<Command[]> {
  const flat = fc.record({ size, answer, item, small: fc.nat({ max: 2 }), instance: fc.nat({ max: 1 }) })
  const told = [trouble, halves, died, counted, corrected, bare, frozen, namedTwice, cameBack, otherwise, braked]
  return fc
    .tuple(flat, flat, fc.integer({ min: 10, max: 90 }), fc.constantFrom(...told))
    .map(([a, b, person, tell]) => [list(person), ...tell({ ...a, person }, { ...b, person })])
}

interface Drawn {
  size: number
  answer: Answer
  item: Item
  small: number
  instance: number
  /** The first of the four on the story's list. */
  person: number
}

const list = (first: number): Command => {
  const people = [0, 1, 2, 3].map((each) => ({ person: first + each, term: 1, name: 0, shout: false, grade: 0 }))
  return { do: 'hand over', file: first, people, course: 0, pipeline: 0, bad: false, short: false, brake: null }
}
const send = ({ size, instance }: Drawn): Command => ({ do: 'send', pipeline: 0, size, instance })
const end = (answer: Answer, more: Partial<Answer>): Command => {
  return { do: 'end', which: 0, late: false, answer: { ...answer, ...more }, thenPause: true }
}
const look = (...items: Item[]): Command => {
  return { do: 'scan', items, settle: true, cut: false, resends: 1, daysBack: 9, afterMs: 900_000 }
}

/** Two calls in a row fail, with a batch at the door; then the canary. */
function trouble(a: Drawn, b: Drawn): Command[] {
  const first = a.small === 0 ? 'refused' : a.small === 1 ? 'accepted' : 'unknown'
  const fails = (of: Drawn): Answer['class'] => (of.instance === 0 ? 'unknown' : 'refused')
  return [
    send(a),
    end(a.answer, { class: first }),
    send({ ...a, size: 1 }),
    send({ ...b, size: 1 }),
    { do: 'prepare', pipeline: 0, size: 1, canary: false },
    end(a.answer, { class: fails(a) }),
    end(b.answer, { class: fails(b) }),
    { do: 'time passes', ms: 61_000 },
    { do: 'prepare', pipeline: 0, size: 3, canary: true },
    { do: 'prepare', pipeline: 0, size: 3, canary: true },
  ]
}

/** A batch is refused, is not in the report, and goes out again in halves; its looks begin anew. */
function halves(a: Drawn, b: Drawn): Command[] {
  const refused = { class: 'refused', status: 500, authRefused: false, trouble: false } as const
  const all = { ...a, size: 4 }
  return [send(all), end(a.answer, refused), look(), look(), send(all), end(b.answer, {}), send(all), look(b.item)]
}

/** Workers die over their calls, which says nothing about the service, and are noticed after the deadline. */
function died(a: Drawn, b: Drawn): Command[] {
  return [
    send({ ...a, size: 1 }),
    { do: 'time passes', ms: 120_000 },
    { do: 'lose', alive: null },
    { do: 'look around' },
    send({ ...b, size: 1 }),
    end(b.answer, { class: 'unknown' }),
    look(),
    look(a.item),
  ]
}

/** An item of the story's own, as it was asked for, with what the report says of it. */
const own = ({ item, person, small }: Drawn, more: Partial<Item>): Item => {
  return { ...item, person: person + small, day: null, name: 0, entity: 0, revoked: false, ...more }
}

/** The whole list goes out, and the call is accepted. */
const accepted = (of: Drawn): Command[] => {
  const all = { ...of, size: 5 }
  return [send(all), end(of.answer, { class: 'accepted' }), send(all), end(of.answer, { class: 'accepted' })]
}

/** One more item of a person, first without and then with an id of its own. */
function counted(a: Drawn): Command[] {
  const first = own(a, { label: 'Request inqueue' })
  return [...accepted(a), look(first), look(first, { ...first, entity: null }), look(first, { ...first, entity: 1 })]
}

/** An item whose id comes later than its label, and whose credential is not shown for ever. */
function corrected(a: Drawn): Command[] {
  const done = own(a, { label: 'Request Completed', credential: true })
  return [
    ...accepted(a),
    look({ ...done, entity: null, label: 'Request inqueue' }),
    look(done),
    look({ ...done, credential: false, link: !done.link }),
    look({ ...done, revoked: true }),
  ]
}

/** Somebody writes that a row is issued, and which credential it is nobody knows; what else they wrote is refused with it. */
function bare(a: Drawn): Command[] {
  const move = { which: 0, from: 'in_progress', to: 'issued', credential: false } as const
  return [
    ...accepted(a),
    look(own(a, { label: 'Request Inprogress', credential: false })),
    { do: 'apply', claims: [{ which: 1, key: 3 }], upgrade: null, moves: [move], surplus: [], shown: [0] },
  ]
}

/** Two lists name the same people, and both are told what the report shows. */
function namedTwice(a: Drawn): Command[] {
  const want = [0, 1, 2, 3, 4, 5].map((run) => ({ do: 'tell', run, verb: 'want' }) as const)
  return [{ ...(list(a.person) as HandOver), file: a.person + 100 }, ...want, ...accepted(a), look(own(a, {}))]
}

/** A list that has come to rest is handed over once more. */
function cameBack(a: Drawn): Command[] {
  const alone = {
    ...(list(a.person) as HandOver),
    file: a.person + 200,
    course: 1,
    pipeline: 1,
  }
  const one: Command = { ...alone, people: alone.people.slice(0, 1) }
  const refused = { class: 'refused', status: 400, authRefused: false, trouble: false } as const
  return [one, { ...send({ ...a, size: 1 }), pipeline: 1 } as Command, end(a.answer, refused), look(), one, one]
}

/** The next list fills a field that the ledger does not know, and calls somebody by another name; then a shorter one. */
function otherwise(a: Drawn): Command[] {
  const first = list(a.person) as HandOver
  const named = first.people.map((each, at) => ({
    ...each,
    grade: at % 2,
    name: at === a.small ? 1 : 0,
    shout: at === 3,
  }))
  return [
    ...accepted(a),
    { ...first, file: a.person + 300, people: named },
    { do: 'tell', run: a.small, verb: 'read' },
    { ...first, file: a.person + 400, people: named.slice(0, 2) },
    { do: 'look around' },
  ]
}

/** A list that is too large is held, handed over again, decided, and handed over once more; another goes through meanwhile. */
function braked(a: Drawn, b: Drawn): Command[] {
  const first = list(a.person) as HandOver
  const long = { ...first, file: a.person + 500, people: first.people.map((each) => ({ ...each, term: 2 })) }
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
    { do: 'look around' },
  ]
}

/** Somebody wakes with the word of a scan from before the last call, and another with one from after it. */
function frozen(a: Drawn, { answer, small }: Drawn): Command[] {
  const verb = (['noteLooks', 'sendAgain', 'holdRows'] as const)[small] ?? 'noteLooks'
  const word = { do: 'write directly' as const, verb, which: [0, 1, 2], cap: null }
  const unknown = end(answer, { class: 'unknown' })
  return [
    send(a),
    unknown,
    { ...word, agoMs: 300_000 },
    { ...word, verb: 'noteLooks' as const, agoMs: 0 },
    send(a),
    unknown,
  ]
}
