// Runs every call through the same steps: the journal, the gate, the endpoint, and the faults injected into its
// response.

import { nameOf, type SandboxCall, type SandboxEndpoint, type SandboxOutcome, type SandboxReply } from './call.ts'
import { refused } from './envelope.ts'
import { type AnswerFault, faultOf } from './faults/choose-fault.ts'
import { draw } from './faults/draw.ts'
import { faultyResponse, type WireResponse } from './faults/faulty-response.ts'
import { portionOf } from './faults/portion.ts'
import { openGate } from './gate.ts'
import { invited } from './invite-route.ts'
import type { Arrival } from './journal.ts'
import { type SandboxRefusal, sandboxRefusalOf } from './refusal.ts'
import type { RouteContext } from './route-context.ts'

export type ReadCall = Omit<SandboxCall, 'nth' | 'portion' | 'committed' | 'record'>

/**
 * Never throws, because errors become responses.
 * @param read reads the body, once the call is admitted
 */
export type CallPipeline = (
  endpoint: SandboxEndpoint,
  authorization: string | undefined,
  read: () => ReadCall,
) => SandboxOutcome | Promise<SandboxOutcome>

export function openCallPipeline(context: RouteContext): CallPipeline {
  const { settings, journal } = context
  const admit = openGate(context)

  return (endpoint, authorization, read) => {
    // Calls that anyone may make are not counted.
    const arrival = endpoint.admits === 'anyone' ? null : journal.arrived(nameOf(endpoint))
    const refuse = (thrown: unknown): WireResponse => {
      const refusal = sandboxRefusalOf(thrown)
      if (arrival) journal.answered(arrival, refusal.status, null)
      return refusalResponse(refusal)
    }
    try {
      admit(endpoint, authorization)
      const call = read()
      const fault = faultFor(context, endpoint, arrival)
      const finish = (reply: SandboxReply): SandboxOutcome => {
        const original = 'json' in reply ? asJson(reply.json, 200) : reply
        const outcome = fault ? (faultyResponse(fault, settings.faults, original.body) ?? 'lost') : original
        const status = outcome === 'lost' ? null : outcome.status
        if (arrival) journal.answered(arrival, status, fault && `${fault.kind}, ${fault.commit} done`)
        return outcome
      }
      // If the endpoint refuses the call, the refusal is the response: faults after the work apply only if the work
      // was done.
      const reply = fault?.commit === 'nothing' ? invited : work(context, endpoint, arrival, call, fault)
      return reply instanceof Promise ? reply.then(finish).catch(refuse) : finish(reply)
    } catch (error) {
      return refuse(error)
    }
  }
}

function faultFor({ settings }: RouteContext, { invites }: SandboxEndpoint, arrival: Arrival | null) {
  if (!arrival) return null
  const drawn = draw(settings.seed, `answer of ${arrival.endpoint}`, arrival.nth)
  return faultOf(settings.faults, invites ?? false, drawn)
}

function work(
  { settings, journal }: RouteContext,
  endpoint: SandboxEndpoint,
  arrival: Arrival | null,
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

export function refusalResponse(refusal: SandboxRefusal): WireResponse {
  return asJson(refused(refusal), refusal.status)
}

function asJson(value: unknown, status: number): WireResponse {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) }
}
