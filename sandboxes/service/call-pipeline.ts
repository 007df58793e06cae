// Runs every call through the same steps: the journal, the gate, the endpoint, and the faults injected into its
// response.

import { nameOf, type SandboxCall, type SandboxEndpoint, type SandboxOutcome, type SandboxReply } from './call.ts'
import { refused } from './envelope.ts'
import { type AnswerFault, faultOf } from './faults/choose-fault.ts'
import { draw } from './faults/draw.ts'
import { faultyResponse, type WireResponse } from './faults/faulty-response.ts'
import { portionOf } from './faults/portion.ts'
import { type Caller, openGate } from './gate.ts'
import { invited } from './invite-route.ts'
import type { Arrival } from './journal.ts'
import { sandboxRefusalOf } from './refusal.ts'
import type { RouteContext } from './route-context.ts'

/** A call that has arrived; `arrival` is null for an endpoint whose calls are not counted. */
export interface ArrivedCall {
  endpoint: SandboxEndpoint
  arrival: Arrival | null
}

export type ReadCall = Omit<SandboxCall, 'nth' | 'portion' | 'committed' | 'record'>

export interface CallPipeline {
  arrive(endpoint: SandboxEndpoint): ArrivedCall
  /**
   * Runs before the body is read.
   * @throws SandboxRefusal 401 or 429, to be passed to `refuse`
   */
  admit(arrived: ArrivedCall, caller: Caller): void
  /** Runs the call. Never throws, because errors become responses. */
  answer(arrived: ArrivedCall, call: ReadCall): SandboxOutcome | Promise<SandboxOutcome>
  /** Returns the response to a thrown error. `arrived` is undefined for a call to an unknown endpoint. */
  refuse(arrived: ArrivedCall | undefined, thrown: unknown): WireResponse
}

export function openCallPipeline(context: RouteContext): CallPipeline {
  const { settings, clock, tokens, journal } = context
  const admit = openGate(settings, clock, tokens, journal)

  const refuse = (arrived: ArrivedCall | undefined, thrown: unknown): WireResponse => {
    const refusal = sandboxRefusalOf(thrown)
    if (arrived?.arrival) journal.answered(arrived.arrival, refusal.status, null)
    return asJson(refused(refusal), refusal.status)
  }
  return {
    arrive: (endpoint) => ({
      endpoint,
      arrival: endpoint.admits === 'anyone' ? null : journal.arrived(nameOf(endpoint)),
    }),
    admit: ({ endpoint }, caller) => admit(endpoint, caller),
    refuse,
    answer(arrived, call) {
      const fault = faultFor(context, arrived)
      const finish = (reply: SandboxReply): SandboxOutcome => {
        const original = toWireResponse(reply)
        const outcome = fault ? (faultyResponse(fault, settings.faults, original.body) ?? 'lost') : original
        const status = outcome === 'lost' ? null : outcome.status
        if (arrived.arrival) journal.answered(arrived.arrival, status, fault && `${fault.kind}, ${fault.commit} done`)
        return outcome
      }
      try {
        // If the endpoint refuses the call, the refusal is the response: faults after the work apply only if the work
        // was done.
        const reply = fault?.commit === 'nothing' ? invited : work(context, arrived, call, fault)
        return reply instanceof Promise ? reply.then(finish).catch((error) => refuse(arrived, error)) : finish(reply)
      } catch (error) {
        return refuse(arrived, error)
      }
    },
  }
}

function faultFor({ settings }: RouteContext, { endpoint, arrival }: ArrivedCall): AnswerFault | null {
  if (!arrival) return null
  const drawn = draw(settings.seed, `answer of ${arrival.endpoint}`, arrival.nth)
  return faultOf(settings.faults, endpoint.invites ?? false, drawn)
}

function work(
  { settings, journal }: RouteContext,
  { endpoint, arrival }: ArrivedCall,
  call: ReadCall,
  fault: AnswerFault | null,
): SandboxReply | Promise<SandboxReply> {
  const { seed, faults } = settings
  const nth = arrival?.nth ?? 0
  const partialFault = fault?.commit === 'part' ? faults.partialCommit : undefined
  // Status 400 means that part of the call was not applied, which for a single recipient is all of it.
  const portion = (size: number) =>
    partialFault?.answer === 400 && size < 2 ? [] : portionOf(partialFault?.take ?? 'prefix', size, seed, nth)
  return endpoint.answer({
    ...call,
    nth,
    portion: partialFault ? portion : null,
    committed: (recipients, entityUuids) => arrival && journal.inviteAccepted(arrival, recipients, entityUuids),
    record: (change) => arrival && journal.record(arrival, change),
  })
}

function toWireResponse(reply: SandboxReply): WireResponse {
  return 'json' in reply ? asJson(reply.json, 200) : reply
}

function asJson(value: unknown, status: number): WireResponse {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) }
}
