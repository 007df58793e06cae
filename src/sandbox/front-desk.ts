// What happens to every call, in this order: the journal, the gate, the work, the mischief on its answer.

import { type Call, type Endpoint, nameOf, type Outcome, type Reply } from './call.ts'
import { refused } from './envelope.ts'
import { type Caller, openGate } from './gate.ts'
import { invited } from './invite-route.ts'
import type { Arrival } from './journal.ts'
import { draw } from './mischief/draw.ts'
import { portionOf } from './mischief/portion.ts'
import { type Spoil, spoilOf } from './mischief/spoil.ts'
import { spoiledAnswer, type WireAnswer } from './mischief/spoiled-answer.ts'
import type { Premises } from './premises.ts'
import { refusalOf } from './refusal.ts'

/** A call that has arrived; `arrival` is null for an endpoint that is not counted. */
export interface Visit {
  endpoint: Endpoint
  arrival: Arrival | null
}

export type ReadCall = Omit<Call, 'nth' | 'portion' | 'committed' | 'did'>

export interface FrontDesk {
  arrive(endpoint: Endpoint): Visit
  /** Before the body is read. @throws Refusal 401 or 429, to be handed to `refuse` */
  admit(visit: Visit, caller: Caller): void
  /** Carries the call out. Never throws: what goes wrong is an answer. */
  answer(visit: Visit, call: ReadCall): Outcome | Promise<Outcome>
  /** The answer for whatever was thrown; without a visit for a call that has no endpoint. */
  refuse(visit: Visit | undefined, thrown: unknown): WireAnswer
}

export function openFrontDesk(premises: Premises): FrontDesk {
  const { settings, clock, tokens, journal } = premises
  const admit = openGate(settings, clock, tokens, journal)

  const refuse = (visit: Visit | undefined, thrown: unknown): WireAnswer => {
    const refusal = refusalOf(thrown)
    if (visit?.arrival) journal.answered(visit.arrival, refusal.status, null)
    return asJson(refused(refusal), refusal.status)
  }
  return {
    arrive: (endpoint) => ({
      endpoint,
      arrival: endpoint.admits === 'anybody' ? null : journal.arrived(nameOf(endpoint)),
    }),
    admit: ({ endpoint }, caller) => admit(endpoint, caller),
    refuse,
    answer(visit, call) {
      const spoil = spoilFor(premises, visit)
      const finish = (reply: Reply): Outcome => {
        const honest = onWire(reply)
        const outcome = spoil ? (spoiledAnswer(spoil, settings.mischief, honest.body) ?? 'lost') : honest
        const status = outcome === 'lost' ? null : outcome.status
        if (visit.arrival) journal.answered(visit.arrival, status, spoil && `${spoil.kind}, ${spoil.commit} done`)
        return outcome
      }
      try {
        // A call that is refused on its own merits is answered so: the spoils after the work are for work that was done.
        const reply = spoil?.commit === 'nothing' ? invited : work(premises, visit, call, spoil)
        return reply instanceof Promise ? reply.then(finish).catch((error) => refuse(visit, error)) : finish(reply)
      } catch (error) {
        return refuse(visit, error)
      }
    },
  }
}

function spoilFor({ settings }: Premises, { endpoint, arrival }: Visit): Spoil | null {
  if (!arrival) return null
  const drawn = draw(settings.seed, `answer of ${arrival.endpoint}`, arrival.nth)
  return spoilOf(settings.mischief, endpoint.invites ?? false, drawn)
}

function work(
  { settings, journal }: Premises,
  { endpoint, arrival }: Visit,
  call: ReadCall,
  spoil: Spoil | null,
): Reply | Promise<Reply> {
  const { seed, mischief } = settings
  const nth = arrival?.nth ?? 0
  const partly = spoil?.commit === 'part' ? mischief.partialCommit : undefined
  // Refused in words means that something of it was not taken: of a single recipient that is all of it.
  const portion = (size: number) =>
    partly?.answer === 400 && size < 2 ? [] : portionOf(partly?.take ?? 'prefix', size, seed, nth)
  return endpoint.answer({
    ...call,
    nth,
    portion: partly ? portion : null,
    committed: (recipients, entityUuids) => arrival && journal.inviteAccepted(arrival, recipients, entityUuids),
    did: (deed) => arrival && journal.did(arrival, deed),
  })
}

function onWire(reply: Reply): WireAnswer {
  return 'json' in reply ? asJson(reply.json, 200) : reply
}

function asJson(value: unknown, status: number): WireAnswer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) }
}
