// One seed: a few short lists, one or two spoiled calls, and a dispatcher that tortures every job, until everything is at rest.

import { expect } from 'vitest'
import { processorsFor } from '#jobs/processors.ts'
import { sweepNow } from '#jobs/sweep.ts'
import type { Tools } from '#jobs/tools.ts'
import { systemClock } from '#src/time/clock.ts'
import { type AuditCounts, audit, auditCounts, recordTold, replayEverything } from '#test/support/auditor.ts'
import { type Dice, openDice } from '#test/support/dice.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'
import { type TortureCounts, TorturingDispatcher } from './torturing-dispatcher.ts'

const upload = 'quickIssuance/recipients/data/upload'
const turnMs = 10
/** Of one case. Usual is two seconds; past this it hangs. */
const mostMs = 45_000

export class NotAtRestError extends Error {
  override readonly name = 'NotAtRestError'
  constructor(states: object, faults: Iterable<string>) {
    super(`The run did not come to rest: ${JSON.stringify(states)}; faults: ${[...faults].join(', ') || 'none'}`)
  }
}

export type CaseCounts = AuditCounts & TortureCounts

/** Fails when a promise is broken, or nothing comes to rest. */
export async function tortureOnce(seed: number): Promise<CaseCounts> {
  const dice = openDice(seed)
  await using world = await openTorturedWorld(dice)
  recordTold(world)
  const dispatcher = new TorturingDispatcher(dice)
  const tools: Tools = { ...world.app, queues: dispatcher as unknown as Tools['queues'] }
  dispatcher.serve(processorsFor(tools))
  try {
    await runToRest(world, tools, dispatcher, dice)
    await runLateJobs(tools, dispatcher)
  } finally {
    await dispatcher.settle()
  }
  await audit(world)
  expect([...dispatcher.faults], 'jobs that threw').toEqual([])
  await replayEverything(world)
  return { ...(await auditCounts(world)), ...dispatcher.counts }
}

function openTorturedWorld(dice: Dice): Promise<World> {
  return openWorld({
    sandbox: { seed: String(dice.next()), rejectShare: 0.05, failShare: 0.05, reportLagMs: dice.between(0, 60) },
    pipeline: { batch: { size: dice.between(3, 9) } },
    reconcile: {
      every: '50ms',
      slowest: '200ms',
      grace: '150ms',
      refusedGrace: '100ms',
      pageSize: dice.pick([10, 20, 500]),
    },
    invitations: { canary: dice.chance(0.3), pause: '100ms', concurrency: dice.between(1, 4) },
    // A job that was never delivered is asked for again soon.
    tuning: { lostAfterMs: 120 },
  })
}

const usualLists = 3
/** Only what is sent later can prove that the report is not behind, so further nights come while there is doubt. */
const mostLists = 8

/** 24 people, and every night after that eight, of which one is known already, and a row that cannot be issued. */
function nightlyList(night: number): { name: string; text: string } {
  if (night === 0) return { name: 'first.csv', text: peopleCsv(24) }
  return { name: `night-${night}.csv`, text: `${peopleCsv(8, 17 + night * 7)}nobody,Ada,Lovelace\n` }
}

/** Hands the lists over, breaks a call here and there, sweeps as the timer would, and returns when all is settled and told. */
async function runToRest(world: World, tools: Tools, dispatcher: TorturingDispatcher, dice: Dice): Promise<void> {
  const began = systemClock.monotonicMs()
  const spoilAt = Array.from({ length: dice.between(0, 2) }, () => dice.between(0, 5)).sort((a, b) => a - b)
  for (let night = 0; ; ) {
    const now = await standing(world)
    if (night < usualLists ? !now.unsent : night < mostLists && now.onlyDoubt) {
      const list = nightlyList(night++)
      await world.receive(list.name, list.text)
    } else if (!now.open && !now.untold) return
    if (systemClock.monotonicMs() - began > mostMs) throw new NotAtRestError(now.states, dispatcher.faults)
    // At a moment that the seed has drawn the next call breaks, before or after the service has it.
    if (world.sandbox.journal().invitesAccepted >= (spoilAt[0] ?? Number.POSITIVE_INFINITY)) {
      spoilAt.shift()
      world.wire.spoil(upload, dice.pick(['lose-answer', 'lose-answer', 'lose-request'] as const))
    }
    await sweepNow(tools)
    dispatcher.turn()
    await systemClock.sleep(turnMs)
  }
}

/** After the end: jobs that were kept, and whatever they ask for. */
async function runLateJobs(tools: Tools, dispatcher: TorturingDispatcher): Promise<void> {
  await dispatcher.deliverKept()
  await sweepNow(tools)
  await dispatcher.deliverKept()
}

interface Standing {
  open: boolean
  /** Something is yet to be read or sent. */
  unsent: boolean
  /** Nothing is on its way, and of some rows nobody knows what became. */
  onlyDoubt: boolean
  untold: boolean
  states: object
}

async function standing({ app }: World): Promise<Standing> {
  const { rows } = await app.database.query<Standing>(
    `WITH s AS (SELECT state, count(*) AS n FROM issuance GROUP BY state)
     SELECT EXISTS (SELECT FROM run WHERE settled_at IS NULL) AS open,
            EXISTS (SELECT FROM run WHERE state = 'received') OR EXISTS (SELECT FROM s WHERE state IN ('pending', 'sending')) AS unsent,
            EXISTS (SELECT FROM s WHERE state = 'unconfirmed') AND NOT EXISTS (SELECT FROM run WHERE state = 'received')
              AND NOT EXISTS (SELECT FROM s WHERE state IN ('pending', 'sending', 'requested', 'in_progress')) AS "onlyDoubt",
            EXISTS (SELECT FROM write_back WHERE told < wanted) AS untold,
            (SELECT json_object_agg(state, n) FROM s) AS states`,
  )
  return rows[0] as Standing
}
