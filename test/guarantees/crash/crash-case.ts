// One case: a list is handed over, the worker is killed at each of its points in turn and started again, and runs to rest.

import { setTimeout as pause } from 'node:timers/promises'
import { audit } from '#test/support/auditor.ts'
import type { World } from '#test/support/world.ts'
import { archiveFaults } from './archived.ts'
import { type Child, startChild } from './child.ts'
import type { CrashPlace } from './crash-place.ts'
import { openCrashWorld, workerConnections } from './crash-world.ts'
import { type Desk, openDesk } from './desk.ts'
import { draw } from './draw.ts'
import type { Armed } from './failpoint.ts'
import { type Fate, fateOf } from './fate.ts'
import { pointNamed } from './points.ts'
import { endPauses, standing, takeOffMargin } from './rest.ts'
import { crashCsv, scenes } from './scenes.ts'
import type { Order } from './worker-process.ts'

export interface CrashCase {
  seed: number
  /** Where the first process dies. */
  point: string
  /** Where the next one dies, if it comes there at all; null for a single kill. */
  second: string | null
  backend: 'postgres' | 'redis'
}

export interface CaseResult extends Fate {
  case: CrashCase
  /** The points at which a process was killed, in order. */
  killedAt: string[]
  /** What the auditor objects to, or null. */
  broken: string | null
  /** What is wrong with the archive, where there is one. */
  misarchived: string[]
  /** What is wrong with who was revoked and corrected, where somebody was. */
  miscorrected: string[]
}

const pollMs = 100
const soon = { baseMs: 100, capMs: 100 }
const restMs = 60_000
/** At rest the same steps come by again and again; a point that was not reached by then is not reached. */
const quietMs = 400

export async function runCase(place: CrashPlace, each: CrashCase, redisUrl: string | null): Promise<CaseResult> {
  const plan = planOf(each)
  await using world = await openCrashWorld({
    pipeline: { batch: { size: 5 } },
    reconcile: { every: '250ms', slowest: '400ms', grace: '300ms', refusedGrace: '100ms', pageSize: 10 },
    invitations: { canary: each.seed % 3 === 0, pause: '300ms', deadline: '1000ms', concurrency: plan.concurrency },
    ...(redisUrl && { redisUrl }),
  })
  for (const name of plan.scenes) await scenes[name].prepare(world)
  await world.receive('list.csv', crashCsv(plan.people))

  const killedAt: string[] = []
  const nights = openNights(world, plan.people)
  const desk = openDesk(world, plan.scenes.includes('credentials are revoked and corrected'))
  for (const armed of [...plan.kills, null]) {
    const child = startChild(orderFor(world, armed), place.compileCache)
    const end = await runUntilRest(world, child, { nights, desk }, armed)
    if (end === 'killed' && armed) {
      killedAt.push(armed.point)
      if (redisUrl || desk.open) await afterDeath(world)
      continue
    }
    if (end === 'killed') throw new Error('The worker was killed although no point was armed.')
    break
  }
  const broken = await audit(world).then(() => null, String)
  const misarchived = await archiveFaults(world)
  const miscorrected = desk.faults()
  return { case: each, killedAt, broken, misarchived, miscorrected, ...(await fateOf(world)) }
}

interface Plan {
  kills: Armed[]
  scenes: (keyof typeof scenes)[]
  people: number
  concurrency: number
}

/** Everything that the seed decides. Pure. */
export function planOf({ seed, point, second: then, backend }: CrashCase): Plan {
  const first = pointNamed(point)
  const second = then === null ? null : pointNamed(then)
  const names = [...new Set([first.scene, second?.scene ?? 'plain'])].filter((name) => name !== 'plain')
  const fixed = names.map((name) => scenes[name].concurrency).find((calls) => calls !== null)
  const purpose = `${backend} ${point} ${then}`
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

function orderFor({ settings, sandbox, folder, databaseUrl }: World, armed: Armed | null): Order {
  return {
    armed,
    file: settings.file,
    baseUrl: settings.baseUrl,
    key: sandbox.key,
    secret: sandbox.secret,
    databaseUrl,
    redisUrl: settings.redisUrl?.reveal() ?? null,
    dataDir: folder,
    tuning: { sweepMs: 150, lostAfterMs: 600, stopMs: 3_000, archiveAgain: { one: soon, all: soon } },
  }
}

/** @returns 'killed' when the point was reached, 'at rest' when there was nothing left to do */
async function runUntilRest(
  world: World,
  child: Child,
  { nights, desk }: { nights: Nights; desk: Desk },
  armed: Armed | null,
): Promise<'killed' | 'at rest'> {
  let ended: Awaited<Child['ended']> | null = null
  void child.ended.then((end) => {
    ended = end
  })
  try {
    // A world that is at rest already would be left before the worker has seen it.
    await Promise.race([child.started, child.ended, pause(restMs, undefined, { ref: false })])
    const enough = armed ? quietMs : pollMs
    for (let waited = 0, quiet = 0; ended === null && quiet < enough; waited += pollMs) {
      if (waited > restMs) throw new Error(`Not at rest after ${restMs} ms.`)
      await Promise.race([pause(pollMs), child.ended])
      await endPauses(world)
      const now = await standing(world)
      await nights.fall(now)
      const waiting = await desk.tend()
      quiet = now.unfinished + waiting === 0 ? quiet + pollMs : 0
    }
    if (ended === null) child.stop()
    const { signal, code, said } = await child.ended
    if (signal === 'SIGKILL') return 'killed'
    if (code !== 0) throw new Error(`The worker ended with ${code ?? signal}: ${said.slice(-500)}`)
    return 'at rest'
  } finally {
    child.kill()
  }
}

async function afterDeath(world: World): Promise<void> {
  while ((await workerConnections(world)) > 0) await pause(20)
  await takeOffMargin(world)
}

interface Nights {
  fall(now: { unsent: number; doubted: number }): Promise<void>
}

/**
 * What is sent and accepted later proves that the report is not behind. When everything is sent and a row is doubted, the next
 * night brings another list, as it does in life.
 */
function openNights(world: World, people: number): Nights {
  let doubtedBefore = false
  let lists = 0
  return {
    async fall({ unsent, doubted }) {
      const now = doubted > 0 && unsent === 0
      if (now && !doubtedBefore && lists < 3)
        await world.receive(`night-${++lists}.csv`, crashCsv(2, people + 100 * lists))
      doubtedBefore = now
    },
  }
}
