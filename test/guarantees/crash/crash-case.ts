// Runs one case: submits a list, kills the worker at each of the case's points in turn, restarts it, and waits until
// all work is finished. Writes to the test database and starts child processes.

import { setTimeout as pause } from 'node:timers/promises'
import { audit } from '#test/support/auditor.ts'
import type { World } from '#test/support/world.ts'
import { archiveProblemsOf } from './check-archive.ts'
import type { CompileCache } from './compile-cache.ts'
import { openCrashWorld, workerConnections } from './crash-world.ts'
import type { ArmedPoint } from './failpoint.ts'
import { endPauses, readOpenWork, skipDeadlineMargin } from './open-work.ts'
import { type PersonOutcomes, personOutcomes } from './person-outcomes.ts'
import { pointNamed } from './points.ts'
import { openRequester, type Requester } from './requester.ts'
import { crashCsv, scenes } from './scenes.ts'
import { draw } from './seeded-draw.ts'
import { type Child, startChild } from './worker-child.ts'
import type { WorkerInstructions } from './worker-process.ts'

export interface CrashCase {
  seed: number
  /** The point at which the first process is killed. */
  point: string
  /** The point at which the next process is killed, if it is reached; null for a single kill. */
  second: string | null
  backend: 'postgres' | 'redis'
}

export interface CaseResult extends PersonOutcomes {
  case: CrashCase
  /** The points at which a process was killed, in order. */
  killedAt: string[]
  /** The auditor's findings, or null. */
  broken: string | null
  /** Problems found in the archive, if there is one. */
  archiveProblems: string[]
  /** Problems found with the revocation and correction, if there were any. */
  correctionProblems: string[]
}

const pollMs = 200
const shortBackoff = { baseMs: 100, capMs: 100 }
const restMs = 300_000
/**
 * How long a worker with an armed point keeps running once all work is finished. From then on the same steps repeat, so
 * a point that is not reached within this time never will be.
 */
const quietMs = 400

export async function runCase(cache: CompileCache, crashCase: CrashCase, redisUrl: string | null): Promise<CaseResult> {
  const plan = planOf(crashCase)
  await using world = await openCrashWorld({
    pipeline: { batch: { size: 5 } },
    reconcile: {
      ...{ every: '250ms', slowest: '400ms', grace: '300ms', refusedGrace: '100ms', pageSize: 10 },
      // On a busy machine, many looks may pass before the next list, which is the control, is issued.
      looksWithoutControl: 100,
    },
    invitations: {
      canary: crashCase.seed % 3 === 0,
      pause: '300ms',
      deadline: '1000ms',
      concurrency: plan.concurrency,
    },
    ...(redisUrl && { redisUrl }),
  })
  for (const name of plan.scenes) await scenes[name].prepare(world)
  await world.receive('list.csv', crashCsv(plan.people))

  const killedAt: string[] = []
  const laterLists = openLaterLists(world, plan.people, 3 * (plan.kills.length + 1))
  const requester = openRequester(world, plan.scenes.includes('credentials are revoked and corrected'))
  for (const armed of [...plan.kills, null]) {
    const child = startChild(instructionsFor(world, armed), cache.folder)
    const end = await runUntilRest(world, child, { laterLists, requester }, armed)
    if (end === 'killed' && armed) {
      killedAt.push(armed.point)
      if (redisUrl || requester.enabled) await afterKill(world)
      continue
    }
    if (end === 'killed') throw new Error('The worker was killed although no point was armed.')
    break
  }
  const broken = await audit(world).then(() => null, String)
  const archiveProblems = await archiveProblemsOf(world)
  const correctionProblems = requester.faults()
  return { case: crashCase, killedAt, broken, archiveProblems, correctionProblems, ...(await personOutcomes(world)) }
}

interface Plan {
  kills: ArmedPoint[]
  scenes: (keyof typeof scenes)[]
  people: number
  concurrency: number
}

/** The choices that the seed determines. Pure. */
export function planOf({ seed, point, second: secondPoint, backend }: CrashCase): Plan {
  const first = pointNamed(point)
  const second = secondPoint === null ? null : pointNamed(secondPoint)
  const names = [...new Set([first.scene, second?.scene ?? 'plain'])].filter((name) => name !== 'plain')
  const fixed = names.map((name) => scenes[name].concurrency).find((calls) => calls !== null)
  const purpose = `${backend} ${point} ${secondPoint}`
  return {
    kills: [
      ...(first.prelude ? [{ point: first.prelude, hit: 1 }] : []),
      { point, hit: 1 + draw(seed, `${purpose} hit`, first.hits) },
      ...(second ? [{ point: second.name, hit: 1 }] : []),
    ],
    scenes: names,
    people: 21 + draw(seed, `${purpose} people`, 9),
    concurrency: fixed ?? 1 + draw(seed, `${purpose} concurrency`, 4),
  }
}

function instructionsFor(
  { settings, sandbox, folder, databaseUrl }: World,
  armed: ArmedPoint | null,
): WorkerInstructions {
  return {
    armed,
    file: settings.file,
    baseUrl: settings.baseUrl,
    key: sandbox.key,
    secret: sandbox.secret,
    databaseUrl,
    redisUrl: settings.redisUrl?.reveal() ?? null,
    dataDir: folder,
    tuning: { sweepMs: 150, lostAfterMs: 600, stopMs: 3_000, archiveRetry: { one: shortBackoff, all: shortBackoff } },
  }
}

/** @returns 'killed' if the point was reached, 'at rest' if nothing was left to do */
async function runUntilRest(
  world: World,
  child: Child,
  { laterLists, requester }: { laterLists: LaterLists; requester: Requester },
  armed: ArmedPoint | null,
): Promise<'killed' | 'at rest'> {
  let ended: Awaited<Child['ended']> | null = null
  void child.ended.then((end) => {
    ended = end
  })
  try {
    // If all work is already finished, the case would otherwise end before the worker has started.
    await Promise.race([child.started, child.ended, pause(restMs, undefined, { ref: false })])
    const enough = armed ? quietMs : pollMs
    for (let waited = 0, quiet = 0; ended === null && quiet < enough; waited += pollMs) {
      if (waited > restMs) throw new Error(`Not at rest after ${restMs} ms.`)
      await Promise.race([pause(pollMs), child.ended])
      await endPauses(world)
      const now = await readOpenWork(world)
      await laterLists.addIfNeeded(now)
      const waiting = await requester.makeRequests()
      quiet = now.unfinished + waiting === 0 ? quiet + pollMs : 0
    }
    if (ended === null) child.stop()
    const { signal, code, output } = await child.ended
    if (signal === 'SIGKILL') return 'killed'
    if (code !== 0) throw new Error(`The worker ended with ${code ?? signal}: ${output.slice(-500)}`)
    return 'at rest'
  } finally {
    child.kill()
  }
}

async function afterKill(world: World): Promise<void> {
  while ((await workerConnections(world)) > 0) await pause(20)
  await skipDeadlineMargin(world)
}

interface LaterLists {
  addIfNeeded(now: { unsent: number; doubted: number }): Promise<void>
}

/**
 * Only requests that were sent and accepted later prove that the report is up to date. When everything has been sent
 * and a row is still unconfirmed, this submits another list, as the next day would.
 */
function openLaterLists(world: World, people: number, maxLists: number): LaterLists {
  let wasStuck = false
  let lists = 0
  return {
    async addIfNeeded({ unsent, doubted }) {
      const isStuck = doubted > 0 && unsent === 0
      if (isStuck && !wasStuck && lists < maxLists)
        await world.receive(`later-${++lists}.csv`, crashCsv(2, people + 100 * lists))
      wasStuck = isStuck
    },
  }
}
