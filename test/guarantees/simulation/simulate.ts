// One simulation from one seed: lists come in, workers process them in the seed's weather, and checkRun compares the
// result with what the service did. The same seed gives the same run, step by step.

import { parseFileSettings } from '#config/settings.ts'
import { openSandboxCore } from '#sandboxes/service/open-sandbox-core.ts'
import { type Tuning, tuningOf } from '#src/app/tuning.ts'
import type { Policy } from '#src/issuing/reconcile/policy.ts'
import { keepInMemory } from '#test/support/in-memory-mark-keeper.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'
import { openDice } from '#test/support/seeded-random.ts'
import { worldFile } from '#test/support/world.ts'
import { CachingHasher } from './caching-hasher.ts'
import { checkRun, type RunFindings } from './check-run.ts'
import { asLedger, openMemoryLedger } from './ledger/memory-ledger.ts'
import { openPortal } from './portal.ts'
import { openBacklog } from './simulated-queue.ts'
import { openSource, type ReportedRow } from './source.ts'
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

export interface Outcome extends RunFindings {
  seed: number
  weather: string
  people: number
  /** Number of sleepers woken, which is the cost of the run. */
  steps: number
}

/** Ten at night, so that the date changes during the run. */
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
      reportLagMs: weather.faults.throttledAfter ? 0 : dice.pick([0, 20_000, 5 * minute]),
      rejectShare: 0.02,
      failShare: 0.02,
      faults: weather.faults,
    },
    time,
  )
  const hashKey = Buffer.alloc(32, 7)
  const hasher = new CachingHasher(hashKey)
  const ledger = openMemoryLedger({ clock: time, hashKey, hasher, lostAfterMs: 5 * minute })
  const settings = worldFile(
    { ...core, url: '', close: async () => {} },
    { pipeline: { columns: {}, batch: { size: options.batch ?? weather.batch ?? dice.pick([1, 5, 25, 25]) } } },
  )
  const file = parseFileSettings(settings)
  // Mostly infrequent, because scans of the report are the main cost of a simulation.
  const cadence = dice.chance(0.1)
    ? { everyMs: 10 * minute, slowestMs: 2 * hour }
    : { everyMs: hour, slowestMs: 6 * hour }
  const tuning = {
    ...tuningFor(file, weather.batch === null && dice.chance(0.5), dice.pick([1, 4])),
    cadence,
    ...options.tuning,
  }
  // From a separate source of randomness, so that recorded seeds still give the same runs.
  const resends = dice.split('resends').pick([1, 1, 1, 2, 3])
  tuning.policy = { ...tuning.policy, resends, ...options.policy }
  if (options.tuning?.concurrency === undefined && dice.split('many calls').chance(0.5)) tuning.concurrency = 32
  const course = core.courses[0]?.uuid ?? ''
  const source = openSource(asLedger(ledger), course, sandboxFields)
  const reported: ReportedRow[] = []
  source.onReported = (line) => reported.push(line)

  const backlog = openBacklog(time, dice.split('backlog'), weather)
  const workers = supervise({
    dice: dice.split('workers'),
    exclusive: dice.chance(0.5),
    ledger,
    context: { core, time, weather, backlog, outbox: source.outbox, keeper: keepInMemory(), file, tuning },
  })

  let allSubmitted = false
  let over = false
  const portal = openPortal(core)
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
  const some = (share: number) => range(0, people).filter(() => dice.chance(share))
  async function submitLists(): Promise<void> {
    const upTo = (share: number) => Math.floor(people * share)
    if (weather.portal === 'before') await portal.issue(some(0.1))
    // Long enough for the report to show it: credentials issued by hand and shown later cannot be distinguished from
    // ours (docs/guarantees.md).
    await time.sleep(weather.portal === 'before' ? 5 * hour : 15 * minute)
    await source.submit('first.csv', range(0, upTo(0.6)))
    await time.sleep(8 * hour)
    // Another complete list, as student systems send them: most people are known.
    await source.submit('second.csv', range(upTo(0.3), upTo(0.8)))
    if (weather.portal === 'other names') {
      await time.sleep(dice.between(0, 4) * minute)
      await portal.issue(some(0.2), 'Somebody')
    }
    await time.sleep(12 * hour)
    await source.submit('third.csv', range(upTo(0.7), upTo(0.9)))
    // Rows that are sent after the storm are the control for earlier unconfirmed calls.
    await time.sleep(8 * hour)
    core.clearFaults()
    await source.submit('fourth.csv', range(upTo(0.9), upTo(0.95)))
    await time.sleep(14 * hour)
    await source.submit('fifth.csv', range(upTo(0.95), people))
    allSubmitted = true
  }
  async function flushNowAndThen(): Promise<void> {
    for (; time.monotonicMs() < stormMs; await time.sleep(hour))
      if (weather.flushes(dice, time.monotonicMs())) backlog.flush()
  }
  async function watch(): Promise<void> {
    while (!over) {
      await time.sleep(30 * minute)
      if (
        allSubmitted &&
        ledger.records.issuances().every((row) => resting.has(row.state)) &&
        [...ledger.records.runs()].every(({ writeBack }) => !writeBack || writeBack.written === writeBack.wanted)
      )
        over = true
    }
  }
  void submitLists()
  void flushNowAndThen()
  void watch()
  await time.run(() => over, patienceMs)
  workers.end()
  const findings = checkRun({
    core,
    ledger,
    reported,
    people,
    byHand: portal.issuedUuids,
    resends: tuning.policy.resends,
    ended: over,
  })
  return { seed, weather: weather.name, people, steps: time.steps, ...findings }
}

const resting = new Set(['issued', 'rejected', 'failed', 'held', 'revoked'])

function tuningFor(file: Parameters<typeof tuningOf>[0]['file'], canary: boolean, concurrency: number): Tuning {
  const usual = tuningOf({ file })
  return {
    ...usual,
    canary,
    concurrency,
    // The default grace periods, but fewer looks before a row is held, so that twelve days need not be simulated.
    policy: {
      ...usual.policy,
      graceMs: { unknown: 6 * hour, refused: 10 * minute },
      looksWithoutControl: 6,
      looksWithoutBatch: 6,
    },
    baselineAgeMs: 30 * minute,
    deadlineMs: 90_000,
    breaker: { firstMs: 5_000, maxMs: 10 * minute },
    pageSize: 500,
    sweepMs: 10 * minute,
    watchMs: 60 * minute,
    // As infrequent as the sweeps: each round has a cost in the simulation too.
    aliveMs: { every: 10 * minute, silent: 45 * minute },
    stalledAfterMs: 45 * minute,
    lostAfterMs: 5 * minute,
    stopMs: 95_000,
  }
}
