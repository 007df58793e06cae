// Runs one case: sends a list while the fault is armed, waits until the worker has finished without help, and audits
// the result.

import { expect } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { countIn, restingStates, totalOf } from '#src/domain/credential/state.ts'
import { audit } from '#test/support/auditor.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv, timesIssued, type World } from '#test/support/world.ts'
import { armFault } from './arm-fault.ts'
import { type FaultyWorld, openFaultyWorld } from './faulty-world.ts'
import { attemptsOf, type LedgerAttempt } from './ledger-attempts.ts'
import type { NetworkCase } from './network-case.ts'
import { stages } from './stages.ts'

const people = 15
const laterPeople = 4

export interface CaseResult {
  /** Invitations affected by the fault whose outcome was unknown. */
  unknown: number
  issued: number
}

/** @throws with the difference from the expected result, or with what did not happen in time */
export async function runCase(networkCase: NetworkCase): Promise<CaseResult> {
  await using world = await openFaultyWorld(networkCase)
  const fault = armFault(world, networkCase)
  const first = await world.receive('list.csv', peopleCsv(people))
  const worker = await startWorker(world.app)
  try {
    const runs = [first]
    if (networkCase.stage === 'field-list' && networkCase.from === 2) {
      await untilAtRest(world, first)
      fault.beforeSecondList()
      runs.push(await world.receive('second.csv', peopleCsv(laterPeople, 100)))
    }
    await Promise.all([fault.untilOver(), sendLaterIfInDoubt(world, networkCase, runs)])
    for (const run of runs) await untilAtRest(world, run)
    return await checkCase(world, networkCase, people + laterPeople * (runs.length - 1))
  } finally {
    await worker?.stop()
  }
}

/**
 * Only requests sent and accepted after the fault can prove that the report is up to date; this submits a second list,
 * as the next day would.
 */
async function sendLaterIfInDoubt(world: FaultyWorld, networkCase: NetworkCase, runs: string[]): Promise<void> {
  if (networkCase.stage !== 'invite' || networkCase.fault.invitation !== 'unknown') return
  const inDoubt = async () =>
    (await attemptsOf(world)).filter((each) => each.outcome === 'unknown').length >= networkCase.times
  await until('the affected invitations to have an outcome', inDoubt)
  runs.push(await world.receive('second.csv', peopleCsv(laterPeople, 100)))
}

async function untilAtRest(world: FaultyWorld, runId: string): Promise<void> {
  const atRest = async () => {
    const now = await world.app.ledger.runs.withStates(runId)
    return now?.run.state === 'published' && countIn(now.states, restingStates) === totalOf(now.states)
  }
  await until('the worker to come to rest', atRest).catch(async (error: Error) => {
    const now = await world.app.ledger.runs.withStates(runId)
    throw new Error(`${error.message}; ${JSON.stringify({ run: now?.run.state, ...now?.states })}`)
  })
}

async function checkCase(world: FaultyWorld, networkCase: NetworkCase, people: number): Promise<CaseResult> {
  // The auditor needs the app and the sandbox, which are the same here; only the network differs.
  await audit(world as unknown as World)
  const attempts = await attemptsOf(world)
  const sent = attempts.filter((attempt) => attempt.outcome !== 'not_sent').length
  const perPerson = timesIssued(world.sandbox)
  expect({
    'exchanges struck': world.network.struck(),
    'people with a credential': perPerson.size,
    'people without exactly one credential': [...perPerson].filter(([, count]) => count !== 1).map(([email]) => email),
    'invitations on the wire': world.network.exchanges(stages.invite.path),
    'not accepted': notAccepted(attempts),
  }).toEqual({
    'exchanges struck': expectedStruck(networkCase),
    'people with a credential': people,
    'people without exactly one credential': [],
    // Neither the client nor the layers below it repeat a call that the ledger counts as one attempt.
    'invitations on the wire': sent,
    'not accepted': expectedTrouble(networkCase),
  })
  return { unknown: attempts.filter((attempt) => attempt.outcome === 'unknown').length, issued: perPerson.size }
}

/**
 * A claim that expired on a busy machine is made again without anything being sent; that is not caused by the network.
 */
function notAccepted(attempts: readonly LedgerAttempt[]): string[] {
  const fresh = attempts.filter(({ code }) => code !== 'CLAIM_EXPIRED')
  return fresh.map((entry) => entry.outcome ?? 'open').filter((outcome) => outcome !== 'accepted')
}

/**
 * A blocked network affects any request, several times. If an invitation is among them, its outcome is "not sent",
 * never "unknown".
 */
function expectedTrouble({ fault, stage, times }: NetworkCase): unknown {
  if ('shut' in fault.effect) return stage === 'invite' ? allOf('not_sent', 1) : allOf('not_sent', 0)
  if (stage !== 'invite' || fault.invitation === 'accepted') return []
  return Array.from({ length: times }, () => fault.invitation)
}

function expectedStruck({ fault, times }: NetworkCase): unknown {
  if (!('shut' in fault.effect)) return times
  // Refused connections never reach the proxy.
  return fault.effect.shut === 'refuse' ? 0 : expect.toSatisfy((count: number) => count > 0)
}

const allOf = (outcome: string, minCount: number) =>
  expect.toSatisfy((found: string[]) => found.length >= minCount && found.every((entry) => entry === outcome))
