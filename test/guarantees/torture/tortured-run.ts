// Runs one seed: a few short lists, one or two failed calls, and a dispatcher that tortures every job, until all work
// is finished.

import { expect } from 'vitest'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { processorsFor } from '#jobs/processors.ts'
import { sweepNow } from '#jobs/worker/sweep.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { type AuditCounts, audit, auditCounts, recordResultsFiles, replayEverything } from '#test/support/auditor.ts'
import { type Dice, openDice } from '#test/support/seeded-random.ts'
import { withParts } from '#test/support/with-parts.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'
import { openNoticeReceiver } from './notice-receiver.ts'
import { type TortureCounts, TorturingDispatcher } from './torturing-dispatcher.ts'

const upload = 'quickIssuance/recipients/data/upload'
const turnMs = 10
/** Limit for one case, which usually takes two seconds. */
const maxMs = 600_000

export class NotAtRestError extends Error {
  override readonly name = 'NotAtRestError'
  constructor(states: object, faults: Iterable<string>) {
    super(`The run did not come to rest: ${JSON.stringify(states)}; faults: ${[...faults].join(', ') || 'none'}`)
  }
}

export type CaseCounts = AuditCounts & TortureCounts

/** Fails if a promise is broken or work remains open. */
export async function tortureOnce(seed: number): Promise<CaseCounts> {
  const dice = openDice(seed)
  await using receiver = await openNoticeReceiver(seed)
  await using world = await openTorturedWorld(dice, receiver.settings)
  recordResultsFiles(world)
  const dispatcher = new TorturingDispatcher(dice)
  const tools = withParts(world.app, { queues: dispatcher as unknown as ExtensionTools['queues'] })
  dispatcher.serve(processorsFor(tools))
  const notifying = receiver.notify(world)
  try {
    await runToRest(world, tools, dispatcher, dice)
    await runLateJobs(tools, dispatcher)
  } finally {
    await dispatcher.settle()
    await notifying.stop()
  }
  await audit(world)
  await receiver.audit(world)
  expect([...dispatcher.faults], 'jobs that threw').toEqual([])
  await replayEverything(world)
  return { ...(await auditCounts(world)), ...dispatcher.counts }
}

function openTorturedWorld(dice: Dice, file: Record<string, unknown>): Promise<World> {
  return openWorld({
    file,
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
    // A job that was never delivered is requested again soon.
    tuning: { lostAfterMs: 120 },
  })
}

const usualLists = 3
/** Only later requests can prove that the report is up to date, so more lists follow while a row is unconfirmed. */
const maxLists = 8

/** 24 people; each later list has eight, one of them known already, and a row that cannot be issued. */
function nightlyList(night: number): { name: string; text: string } {
  if (night === 0) return { name: 'first.csv', text: peopleCsv(24) }
  return { name: `night-${night}.csv`, text: `${peopleCsv(8, 17 + night * 7)}nobody,Ada,Lovelace\n` }
}

/**
 * Submits the lists, breaks some calls, sweeps as the timer would, and returns when all results are settled and
 * written.
 */
async function runToRest(
  world: World,
  tools: ExtensionTools,
  dispatcher: TorturingDispatcher,
  dice: Dice,
): Promise<void> {
  const began = systemClock.monotonicMs()
  const spoilAt = Array.from({ length: dice.between(0, 2) }, () => dice.between(0, 5)).sort((a, b) => a - b)
  for (let night = 0; ; ) {
    const now = await readOpenWork(world)
    if (night < usualLists ? !now.unsent : night < maxLists && now.onlyDoubt) {
      const list = nightlyList(night++)
      await world.receive(list.name, list.text)
    } else if (!now.open && !now.undelivered) return
    if (systemClock.monotonicMs() - began > maxMs) throw new NotAtRestError(now.states, dispatcher.faults)
    // At a time drawn from the seed, the next call fails, before or after the service has received it.
    if (world.sandbox.journal().invitesAccepted >= (spoilAt[0] ?? Number.POSITIVE_INFINITY)) {
      spoilAt.shift()
      world.wire.spoil(upload, dice.pick(['lose-answer', 'lose-answer', 'lose-request'] as const))
    }
    await sweepNow(tools)
    dispatcher.turn()
    await systemClock.sleep(turnMs)
  }
}

/** Runs the jobs that the dispatcher kept until after the end, and the jobs that they enqueue. */
async function runLateJobs(tools: ExtensionTools, dispatcher: TorturingDispatcher): Promise<void> {
  await dispatcher.deliverKept()
  await sweepNow(tools)
  await dispatcher.deliverKept()
}

interface OpenWork {
  open: boolean
  /** Whether something is left to read or send. */
  unsent: boolean
  /** Whether nothing is being sent but the outcome of some rows is unknown. */
  onlyDoubt: boolean
  undelivered: boolean
  states: object
}

async function readOpenWork({ app }: World): Promise<OpenWork> {
  const { rows } = await app.database.query<OpenWork>(
    `WITH s AS (SELECT state, count(*) AS n FROM issuance GROUP BY state)
     SELECT EXISTS (SELECT FROM run WHERE settled_at IS NULL) AS open,
            EXISTS (SELECT FROM run WHERE state = 'received') OR EXISTS (SELECT FROM s WHERE state IN ('pending', 'sending')) AS unsent,
            EXISTS (SELECT FROM s WHERE state = 'unconfirmed') AND NOT EXISTS (SELECT FROM run WHERE state = 'received')
              AND NOT EXISTS (SELECT FROM s WHERE state IN ('pending', 'sending', 'requested', 'in_progress')) AS "onlyDoubt",
            EXISTS (SELECT FROM write_back WHERE written < wanted) AS undelivered,
            (SELECT json_object_agg(state, n) FROM s) AS states`,
  )
  return rows[0] as OpenWork
}
