// Runs one case: a list goes out through the fault, the worker comes to rest by itself, and everything is audited.

import { expect } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { countIn, restingStates, totalOf } from '#src/issuance/state.ts'
import { audit } from '#test/support/auditor.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv, timesIssued, type World } from '#test/support/world.ts'
import { armFault } from './arm-fault.ts'
import { type FaultyWorld, openFaultyWorld } from './faulty-world.ts'
import { attemptsOf, type LedgerAttempt } from './ledger-attempts.ts'
import type { NetworkCase } from './network-case.ts'
import { stages } from './stages.ts'

const people = 15
const later = 4

export interface CaseResult {
  /** Invitations that met the fault and whose outcome was unknown. */
  unknown: number
  issued: number
}

/** @throws with what is wrong, or with what did not happen within 40 s */
export async function runCase(of: NetworkCase): Promise<CaseResult> {
  await using world = await openFaultyWorld(of)
  const fault = armFault(world, of)
  const first = await world.receive('list.csv', peopleCsv(people))
  const worker = await startWorker(world.app)
  try {
    const runs = [first]
    if (of.stage === 'field-list' && of.from === 2) {
      await rest(world, first)
      fault.beforeSecondList()
      runs.push(await world.receive('second.csv', peopleCsv(later, 100)))
    }
    await Promise.all([fault.over(), sendLaterIfInDoubt(world, of, runs)])
    for (const run of runs) await rest(world, run)
    return await judge(world, of, people + later * (runs.length - 1))
  } finally {
    await worker?.stop()
  }
}

/** Only what is sent and accepted after the doubt can prove that the report is not behind: a second list, as the next night brings it. */
async function sendLaterIfInDoubt(world: FaultyWorld, of: NetworkCase, runs: string[]): Promise<void> {
  if (of.stage !== 'invite' || of.fault.invitation !== 'unknown') return
  const inDoubt = async () => (await attemptsOf(world)).filter((each) => each.outcome === 'unknown').length >= of.times
  await until('the struck invitations to have an outcome', inDoubt)
  runs.push(await world.receive('second.csv', peopleCsv(later, 100)))
}

async function rest(world: FaultyWorld, runId: string): Promise<void> {
  const atRest = async () => {
    const now = await world.app.ledger.runWithStates(runId)
    return now?.run.state === 'published' && countIn(now.states, restingStates) === totalOf(now.states)
  }
  await until('the worker to come to rest', atRest).catch(async (error: Error) => {
    const now = await world.app.ledger.runWithStates(runId)
    throw new Error(`${error.message}; ${JSON.stringify({ run: now?.run.state, ...now?.states })}`)
  })
}

async function judge(world: FaultyWorld, of: NetworkCase, people: number): Promise<CaseResult> {
  // The auditor asks the app and the sandbox, which are here; only the wire is another one.
  await audit(world as unknown as World)
  const attempts = await attemptsOf(world)
  const sent = attempts.filter((each) => each.outcome !== 'not_sent').length
  const perPerson = timesIssued(world.sandbox)
  expect({
    'exchanges struck': world.network.struck(),
    'people issued': perPerson.size,
    'not issued once': [...perPerson].filter(([, count]) => count !== 1).map(([email]) => email),
    'invitations on the wire': world.network.exchanges(stages.invite.path),
    'not accepted': notAccepted(attempts),
  }).toEqual({
    'exchanges struck': expectedStruck(of),
    'people issued': people,
    'not issued once': [],
    // Neither the client nor anything below it sends a second time what the ledger calls one attempt.
    'invitations on the wire': sent,
    'not accepted': expectedTrouble(of),
  })
  return { unknown: attempts.filter((each) => each.outcome === 'unknown').length, issued: perPerson.size }
}

function notAccepted(attempts: readonly LedgerAttempt[]): string[] {
  return attempts.map((each) => each.outcome ?? 'open').filter((outcome) => outcome !== 'accepted')
}

/** A way that is shut is felt by whoever comes, several times, and an invitation may be among them: it is not sent, never unknown. */
function expectedTrouble({ fault, stage, times }: NetworkCase): unknown {
  if ('shut' in fault.does) return stage === 'invite' ? allOf('not_sent', 1) : allOf('not_sent', 0)
  if (stage !== 'invite' || fault.invitation === 'accepted') return []
  return Array.from({ length: times }, () => fault.invitation)
}

function expectedStruck({ fault, times }: NetworkCase): unknown {
  if (!('shut' in fault.does)) return times
  // Refused connections never come to the proxy.
  return fault.does.shut === 'refuse' ? 0 : expect.toSatisfy((count: number) => count > 0)
}

const allOf = (outcome: string, least: number) =>
  expect.toSatisfy((found: string[]) => found.length >= least && found.every((each) => each === outcome))
