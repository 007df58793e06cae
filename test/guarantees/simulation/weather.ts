// What goes wrong in a simulation and how often, drawn from the seed. It all ends after `stormMs`, so that open work
// can be finished; work still open long after that is a fault.

import type { Faults } from '#sandboxes/service/faults/faults.ts'
import type { Dice } from '#test/support/seeded-random.ts'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

export interface Weather {
  readonly name: string
  readonly stormMs: number
  kills(dice: Dice, nowMs: number): boolean
  /** Milliseconds for which a process freezes at this moment; usually 0. */
  freezes(dice: Dice, nowMs: number, verb: string): number
  /** Offset of its wall clock. */
  skewMs(dice: Dice): number
  /** What the network does to one exchange. `late` answers come after the client's deadline. */
  exchange(dice: Dice, nowMs: number): 'well' | 'refused' | 'late'
  /** What a queue does with one job. */
  job(dice: Dice, nowMs: number): 'well' | 'lost' | 'twice' | 'late'
  /** Whether the queue loses all its jobs; called periodically. */
  flushes(dice: Dice, nowMs: number): boolean
  readonly faults: Faults
  /** Whether somebody issues by hand: before the first list, or under a different name during the run. */
  readonly portal: 'nobody' | 'before' | 'other names'
  /** Rows in a batch, if the weather sets it. */
  readonly batch: number | null
}

interface Odds {
  afterClaim?: number
  portal?: Weather['portal']
  batch?: number
  kill?: number
  freeze?: number
  skew?: boolean
  refuse?: number
  late?: number
  loseJob?: number
  duplicateJob?: number
  flush?: number
  faults?: Faults
}

/**
 * The report's lags stay below the grace period of six hours; beyond it, late and lost requests cannot be distinguished
 * (see docs/guarantees.md).
 */
const slowReport: Faults = {
  lateVisibility: { share: 0.3, minMs: minute, maxMs: 4 * hour },
  trickle: { spanMs: hour },
}

const kinds: Record<string, Odds> = {
  calm: {},
  'lost answers': {
    faults: {
      lost: { before: 0.02, after: 0.05 },
      html502: { before: 0.01, after: 0.02 },
      truncated: { after: 0.02 },
      envelope500: { applied: 0.01, notApplied: 0.01 },
    },
  },
  'every twentieth call unknown': { faults: { lost: { before: 0.02, after: 0.03 } } },
  'broken reads': {
    faults: {
      spoiledCalls: 'all',
      lost: { before: 0.03, after: 0.03 },
      html502: { after: 0.03 },
      truncated: { after: 0.03 },
    },
  },
  'half applied': { faults: { partialCommit: { share: 0.05, take: 'scattered', answer: 500 }, lost: { after: 0.02 } } },
  'refused but half applied': { faults: { partialCommit: { share: 0.05, take: 'prefix', answer: 400 } } },
  'bad network': { refuse: 0.05, late: 0.03 },
  'slow report': { late: 0.01, faults: { ...slowReport, lost: { before: 0.02, after: 0.03 } } },
  'inconsistent report': {
    faults: {
      movingRows: { share: 0.3 },
      nullEntityUuid: { share: 0.3, forMs: 2 * hour },
      spelling: { emails: 0.3, names: 0.3 },
      backwards: { share: 0.1 },
      lost: { before: 0.02, after: 0.03 },
    },
  },
  'short pages': {
    faults: {
      cappedPages: { records: 50, pager: 'requested' },
      lost: { before: 0.02, after: 0.08 },
      lateVisibility: { share: 0.5, minMs: minute, maxMs: 4 * hour },
    },
  },
  'other time zone': { skew: true, faults: { clockOffMs: -day / 2, lost: { before: 0.02, after: 0.03 } } },
  'short-lived tokens': { faults: { tokens: { uses: 7 }, reuseEndsSession: true, lost: { after: 0.03 } } },
  'small request limit': { faults: { tooLarge: { recipients: 9 }, lost: { after: 0.02 } } },
  // Longer than the grace period: only a later accepted call that is also missing shows that the report is stuck.
  'report is stuck': {
    faults: { lost: { before: 0.02, after: 0.08 }, backlog: [{ fromMs: 8 * hour, untilMs: 27 * hour }] },
  },
  // The weather in which bench/grace.ts compares grace periods with duplicates. Not part of the suite, because its lags
  // exceed short grace periods.
  'long tail': {
    batch: 25,
    faults: {
      lost: { before: 0.015, after: 0.03 },
      html502: { before: 0.01, after: 0.005 },
      partialCommit: { share: 0.005, take: 'scattered', answer: 500 },
      lateVisibility: { share: 0.02, minMs: 10 * minute, maxMs: 6 * hour },
      backlog: [{ fromMs: 8 * hour, untilMs: 10 * hour }],
    },
  },
  // Some rows appear later than the grace period; the others of their batch show that it has arrived.
  stragglers: {
    batch: 25,
    faults: { lost: { after: 0.15 }, lateVisibility: { share: 0.2, minMs: 8 * hour, maxMs: 20 * hour } },
  },
  'throttled after applying': { faults: { throttledAfter: { share: 0.05 } } },
  'issued by hand before': {
    portal: 'before',
    faults: {
      lost: { before: 0.03, after: 0.05 },
      lateVisibility: { share: 0.4, minMs: 30 * minute, maxMs: 4 * hour },
    },
  },
  'issued by hand under other names': { portal: 'other names', faults: { lost: { before: 0.02, after: 0.05 } } },
  crashes: { kill: 0.004, faults: { lost: { after: 0.02 } } },
  'crashes and slow report': { kill: 0.002, faults: { ...slowReport, lost: { before: 0.01, after: 0.02 } } },
  freezes: { freeze: 0.003, skew: true, faults: { lost: { after: 0.02 } } },
  // Frozen between the claim and the call. Sixteen hours are longer than a proof of absence takes.
  'frozen after the claim': { afterClaim: 0.15 },
  'bad queue': { loseJob: 0.1, duplicateJob: 0.3, flush: 0.1, kill: 0.001 },
  everything: {
    kill: 0.001,
    freeze: 0.001,
    skew: true,
    refuse: 0.02,
    late: 0.02,
    loseJob: 0.05,
    duplicateJob: 0.1,
    flush: 0.02,
    faults: {
      ...slowReport,
      lost: { before: 0.02, after: 0.02 },
      html502: { before: 0.01, after: 0.01 },
      partialCommit: { share: 0.02, take: 'scattered', answer: 500 },
      movingRows: { share: 0.2 },
      nullEntityUuid: { share: 0.2, forMs: hour },
      spelling: { emails: 0.2, names: 0.2 },
    },
  },
}

/** The kinds of weather in which every promise must hold. */
export const weatherNames = Object.keys(kinds).filter((name) => name !== 'long tail')

export function weatherOf(name: string, stormMs: number): Weather {
  const odds = kinds[name]
  if (!odds) throw new Error(`Unknown weather ${name}. Known: ${weatherNames.join(', ')}.`)
  const storm = (nowMs: number) => nowMs < stormMs
  const { afterClaim = 0, kill = 0, freeze = 0, refuse = 0, late = 0, loseJob = 0, duplicateJob = 0, flush = 0 } = odds
  return {
    name,
    stormMs,
    kills: (dice, nowMs) => kill > 0 && storm(nowMs) && dice.chance(kill),
    // Around the five seconds for which a claim is valid, around the call's deadline, and around the end of a lease.
    freezes(dice, nowMs, verb) {
      if (afterClaim > 0 && verb === 'attempts.claim' && storm(nowMs) && dice.chance(afterClaim)) return 16 * hour
      if (freeze === 0 || !storm(nowMs) || !dice.chance(freeze)) return 0
      return dice.pick([4_000, 7_000, 100_000, 10 * minute, 8 * hour])
    },
    skewMs: (dice) => (odds.skew ? dice.pick([0, 120_000, -120_000, day, -day]) : 0),
    exchange(dice, nowMs) {
      if (!storm(nowMs) || refuse + late === 0) return 'well'
      const throwOf = dice.next()
      if (throwOf < refuse) return 'refused'
      return throwOf < refuse + late ? 'late' : 'well'
    },
    job(dice, nowMs) {
      if (!storm(nowMs) || loseJob + duplicateJob === 0) return 'well'
      const throwOf = dice.next()
      if (throwOf < loseJob) return 'lost'
      return throwOf < loseJob + duplicateJob ? 'twice' : 'late'
    },
    flushes: (dice, nowMs) => flush > 0 && storm(nowMs) && dice.chance(flush),
    faults: odds.faults ?? {},
    portal: odds.portal ?? 'nobody',
    batch: odds.batch ?? null,
  }
}
