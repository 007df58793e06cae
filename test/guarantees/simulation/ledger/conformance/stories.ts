// A few commands in a row that lead where dice seldom do.

import fc from 'fast-check'
import type { Answer, Command, Item } from './commands.ts'

interface Parts {
  item: fc.Arbitrary<Item>
  answer: fc.Arbitrary<Answer>
  size: fc.Arbitrary<number>
}

export function stories({ item, answer, size }: Parts): fc.Arbitrary<Command[]> {
  const flat = fc.record({ size, answer, item, small: fc.nat({ max: 2 }), instance: fc.nat({ max: 1 }) })
  return fc
    .tuple(flat, flat, fc.constantFrom(trouble, halves, died, counted, corrected, frozen))
    .map(([a, b, tell]) => tell(a, b))
}

interface Drawn {
  size: number
  answer: Answer
  item: Item
  small: number
  instance: number
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

/** Workers die over their calls, which says nothing about the service. */
function died(a: Drawn, b: Drawn): Command[] {
  return [
    send({ ...a, size: 1 }),
    { do: 'time passes', ms: 120_000 },
    { do: 'lose', alive: null },
    send({ ...b, size: 1 }),
    end(b.answer, { class: 'unknown' }),
    look(),
    look(a.item),
  ]
}

/** One more item of a person, first without and then with an id of its own. */
function counted({ item, size, instance, small }: Drawn, { answer }: Drawn): Command[] {
  const own = { ...item, person: small, day: 0, name: 0, entity: 0, label: 'Request inqueue', revoked: false }
  const whole = { size, instance, small, item, answer }
  return [
    send(whole),
    end(answer, { class: 'accepted' }),
    look(own),
    look(own, { ...own, entity: null }),
    look(own, { ...own, entity: 1 }),
  ]
}

/** An item whose id comes later than its label, and whose credential is not shown for ever. */
function corrected({ item, ...whole }: Drawn, { answer, small }: Drawn): Command[] {
  const own = { ...item, person: small, day: 0, name: 0, entity: null, credential: true, revoked: false }
  return [
    send({ ...whole, item }),
    end(answer, { class: 'accepted' }),
    look({ ...own, label: 'Request inqueue' }),
    look({ ...own, entity: 0, label: 'Request Completed' }),
    look({ ...own, entity: 0, label: 'Request Completed', credential: false, link: !item.link }),
    look({ ...own, entity: 0, label: 'Request Completed', revoked: true }),
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
