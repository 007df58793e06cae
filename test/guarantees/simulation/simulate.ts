// One simulation from one seed: lists come in, workers take them to their end through whatever weather the seed brings, and a judge who
// knows what the service truly did compares. The same seed gives the same run, step by step.

import { parseFileSettings } from '#config/settings.ts'
import type { Policy } from '#src/reconcile/policy.ts'
import { openSandboxCore } from '#src/sandbox/open-sandbox-core.ts'
import { type Tuning, tuningOf } from '#src/tuning.ts'
import { openDice } from '#test/support/dice.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'
import { worldFile } from '#test/support/world.ts'
import { openBacklog } from './backlog.ts'
import { type Judgement, judge } from './judge.ts'
import { asLedger, openMemoryLedger } from './ledger/memory-ledger.ts'
import { openPortal } from './portal.ts'
import { RememberingHasher } from './remembering-hasher.ts'
import { openSource, type Told } from './source.ts'
import { supervise } from './supervise.ts'
import { openVirtualClock } from './virtual-clock.ts'
import { day, hour, minute, weatherNames, weatherOf } from './weather.ts'

export interface SimulationOptions {
  /** People in all lists together. Default 200. */
  people?: number
  /** One of `weatherNames`; by default the seed decides. */
  weather?: string
  /** Rows in a batch; by default the weather or the seed decides. */
  batch?: number
  policy?: Partial<Policy>
  tuning?: Partial<Tuning>
}

export interface Outcome extends Judgement {
  seed: number
  weather: string
  people: number
  /** Sleepers woken: what the run cost. */
  steps: number
}

/** Ten at night, so that the days change in the middle of it. */
const start = new Date('2026-03-01T22:00:00Z')
const stormMs = 26 * hour
const patienceMs = 30 * day

export async function simulate(seed: number, options: SimulationOptions = {}): Promise<Outcome> {
  const { people = 200 } = options
  const dice = openDice(seed)
  const weather = weatherOf(options.weather ?? (weatherNames[seed % weatherNames.length] as string), stormMs)
  const time = openVirtualClock(start)
  const core = openSandboxCore(
    {
      seed: `simulation ${seed}`,
      pace: { queueMs: dice.between(1, 30) * minute, progressMs: dice.between(1, 60) * minute },
      reportLagMs: weather.mischief.throttledAfter ? 0 : dice.pick([0, 20_000, 5 * minute]),
      rejectShare: 0.02,
      failShare: 0.02,
      mischief: weather.mischief,
    },
    time,
  )
  const hashKey = Buffer.alloc(32, 7)
  const hasher = new RememberingHasher(hashKey)
  const ledger = openMemoryLedger({ clock: time, hashKey, hasher, lostAfterMs: 5 * minute })
  const settings = worldFile(
    { ...core, url: '', close: async () => {} },
    { pipeline: { columns: {}, batch: { size: options.batch ?? weather.batch ?? dice.pick([1, 5, 25, 25]) } } },
  )
  const file = parseFileSettings(settings)
  // Mostly a seldom look: what a simulation costs are its readings of the report.
  const cadence = dice.chance(0.1)
    ? { everyMs: 10 * minute, slowestMs: 2 * hour }
    : { everyMs: hour, slowestMs: 6 * hour }
  const tuning = {
    ...tuningFor(file, weather.batch === null && dice.chance(0.5), dice.pick([1, 4])),
    cadence,
    ...options.tuning,
  }
  tuning.policy = { ...tuning.policy, ...options.policy }
  const course = core.courses[0]?.uuid ?? ''
  const source = openSource(asLedger(ledger), course, sandboxFields)
  const told: Told[] = []
  source.onTold = (line) => told.push(line)

  const backlog = openBacklog(time, dice.of('backlog'), weather)
  const workers = supervise({
    dice: dice.of('workers'),
    exclusive: dice.chance(0.5),
    ledger,
    around: { core, time, weather, backlog, outbox: source.outbox, file, tuning },
  })

  let allBrought = false
  let over = false
  const portal = openPortal(core)
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
  const some = (share: number) => range(0, people).filter(() => dice.chance(share))
  async function bringLists(): Promise<void> {
    const upTo = (share: number) => Math.floor(people * share)
    if (weather.portal === 'before') await portal.issue(some(0.1))
    // Long enough for the report to show it: what is made by hand and shows later still can't be told from ours (docs/guarantees.md).
    await time.sleep(weather.portal === 'before' ? 5 * hour : 15 * minute)
    await source.bring('first.csv', range(0, upTo(0.6)))
    await time.sleep(8 * hour)
    // A full list again, as student systems send them: most are known.
    await source.bring('second.csv', range(upTo(0.3), upTo(0.8)))
    if (weather.portal === 'other names') {
      await time.sleep(dice.between(0, 4) * minute)
      await portal.issue(some(0.2), 'Somebody')
    }
    await time.sleep(12 * hour)
    await source.bring('third.csv', range(upTo(0.7), upTo(0.9)))
    // What comes after the storm is the control for what was in doubt before.
    await time.sleep(8 * hour)
    core.behave()
    await source.bring('fourth.csv', range(upTo(0.9), upTo(0.95)))
    await time.sleep(14 * hour)
    await source.bring('fifth.csv', range(upTo(0.95), people))
    allBrought = true
  }
  async function flushNowAndThen(): Promise<void> {
    for (; time.monotonicMs() < stormMs; await time.sleep(hour))
      if (weather.flushes(dice, time.monotonicMs())) backlog.flush()
  }
  async function watch(): Promise<void> {
    while (!over) {
      await time.sleep(30 * minute)
      if (
        allBrought &&
        ledger.issuances().every((row) => resting.has(row.state)) &&
        [...ledger.runs()].every(({ writeBack }) => !writeBack || writeBack.told === writeBack.wanted)
      )
        over = true
    }
  }
  void bringLists()
  void flushNowAndThen()
  void watch()
  await time.run(() => over, patienceMs)
  workers.end()
  const judgement = judge({ core, ledger, told, people, byHand: portal.made, ended: over })
  return { seed, weather: weather.name, people, steps: time.steps, ...judgement }
}

const resting = new Set(['issued', 'rejected', 'failed', 'held', 'revoked'])

function tuningFor(file: Parameters<typeof tuningOf>[0]['file'], canary: boolean, concurrency: number): Tuning {
  const usual = tuningOf({ file })
  return {
    ...usual,
    canary,
    concurrency,
    // The default graces; fewer looks before a person is asked, so that twelve days of patience need not be simulated.
    policy: {
      ...usual.policy,
      graceMs: { unknown: 6 * hour, refused: 10 * minute },
      looksWithoutControl: 6,
      looksWithoutBatch: 6,
    },
    baselineAgeMs: 30 * minute,
    deadlineMs: 90_000,
    pauseMs: 10 * minute,
    pageSize: 500,
    sweepMs: 10 * minute,
    watchMs: 60 * minute,
    // As seldom as the sweeps: each turn costs a simulation as much as it costs a worker.
    aliveMs: { every: 10 * minute, silent: 45 * minute },
    stillMs: 45 * minute,
    lostAfterMs: 5 * minute,
    stopMs: 95_000,
  }
}
