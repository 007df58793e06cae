// What goes wrong in a simulation, and how often: drawn from the seed. After `stormMs` all of it ends, so that what was begun can be brought
// to its end; nothing that is still open long after that has an excuse.

import type { Mischief } from '#src/sandbox/mischief/mischief.ts'
import type { Dice } from '#test/support/dice.ts'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

export interface Weather {
  readonly name: string
  readonly stormMs: number
  kills(dice: Dice, nowMs: number): boolean
  /** Milliseconds that a process stands still from now on; usually 0. */
  freezes(dice: Dice, nowMs: number, verb: string): number
  /** How far its wall clock is off. */
  skewMs(dice: Dice): number
  /** What the network does to one exchange. `late` answers come after the client's deadline. */
  exchange(dice: Dice, nowMs: number): 'well' | 'refused' | 'late'
  /** What a queue does with one job. */
  job(dice: Dice, nowMs: number): 'well' | 'lost' | 'twice' | 'late'
  /** Whether the queue loses everything it holds; asked now and then. */
  flushes(dice: Dice, nowMs: number): boolean
  readonly mischief: Mischief
  /** Somebody issues by hand: before the first list, or under another name in the middle of everything. */
  readonly portal: 'nobody' | 'before' | 'other names'
  /** Rows in a batch, where the weather is about that. */
  readonly batch: number | null
}

interface Odds {
  behindDoor?: number
  portal?: Weather['portal']
  batch?: number
  kill?: number
  freeze?: number
  skew?: boolean
  refuse?: number
  late?: number
  loseJob?: number
  twice?: number
  flush?: number
  mischief?: Mischief
}

/** Lags of the report stay below the grace of six hours: beyond it nobody could tell late from lost (docs/guarantees.md says so). */
const slowReport: Mischief = {
  lateVisibility: { share: 0.3, minMs: minute, maxMs: 4 * hour },
  trickle: { spanMs: hour },
}

const kinds: Record<string, Odds> = {
  calm: {},
  'lost answers': {
    mischief: {
      lost: { before: 0.02, after: 0.05 },
      html502: { before: 0.01, after: 0.02 },
      truncated: { after: 0.02 },
      envelope500: { applied: 0.01, notApplied: 0.01 },
    },
  },
  'every twentieth call unknown': { mischief: { lost: { before: 0.02, after: 0.03 } } },
  'broken reads': {
    mischief: {
      spoiledCalls: 'all',
      lost: { before: 0.03, after: 0.03 },
      html502: { after: 0.03 },
      truncated: { after: 0.03 },
    },
  },
  'half taken': { mischief: { partialCommit: { share: 0.05, take: 'scattered', answer: 500 }, lost: { after: 0.02 } } },
  'refused and half taken': { mischief: { partialCommit: { share: 0.05, take: 'prefix', answer: 400 } } },
  'bad network': { refuse: 0.05, late: 0.03 },
  'slow report': { late: 0.01, mischief: { ...slowReport, lost: { before: 0.02, after: 0.03 } } },
  'strange report': {
    mischief: {
      movingRows: { share: 0.3 },
      nullEntityUuid: { share: 0.3, forMs: 2 * hour },
      spelling: { emails: 0.3, names: 0.3 },
      backwards: { share: 0.1 },
      lost: { before: 0.02, after: 0.03 },
    },
  },
  'short pages': {
    mischief: {
      cappedPages: { records: 50, pager: 'wish' },
      lost: { before: 0.02, after: 0.08 },
      lateVisibility: { share: 0.5, minMs: minute, maxMs: 4 * hour },
    },
  },
  'other time zone': { skew: true, mischief: { clockOffMs: -day / 2, lost: { before: 0.02, after: 0.03 } } },
  'hasty tokens': { mischief: { tokens: { uses: 7 }, reuseEndsSession: true, lost: { after: 0.03 } } },
  'small door': { mischief: { tooLarge: { recipients: 9 }, lost: { after: 0.02 } } },
  // Longer than the grace: only what was sent later and accepted, and is not there either, tells that the report stands still.
  'report stands still': {
    mischief: { lost: { before: 0.02, after: 0.08 }, backlog: [{ fromMs: 8 * hour, untilMs: 27 * hour }] },
  },
  // The world in which grace is weighed against doubles (bench/grace.ts): no weather of the suite, for its lags outlast short graces.
  'long tail': {
    batch: 25,
    mischief: {
      lost: { before: 0.015, after: 0.03 },
      html502: { before: 0.01, after: 0.005 },
      partialCommit: { share: 0.005, take: 'scattered', answer: 500 },
      lateVisibility: { share: 0.02, minMs: 10 * minute, maxMs: 6 * hour },
      backlog: [{ fromMs: 8 * hour, untilMs: 10 * hour }],
    },
  },
  // Some rows show later than the grace: the others of their batch tell that it has arrived.
  stragglers: {
    batch: 25,
    mischief: { lost: { after: 0.15 }, lateVisibility: { share: 0.2, minMs: 8 * hour, maxMs: 20 * hour } },
  },
  'throttled after taking': { mischief: { throttledAfter: { share: 0.05 } } },
  'issued by hand before': {
    portal: 'before',
    mischief: {
      lost: { before: 0.03, after: 0.05 },
      lateVisibility: { share: 0.4, minMs: 30 * minute, maxMs: 4 * hour },
    },
  },
  'issued by hand under other names': { portal: 'other names', mischief: { lost: { before: 0.02, after: 0.05 } } },
  crashes: { kill: 0.004, mischief: { lost: { after: 0.02 } } },
  'crashes and slow report': { kill: 0.002, mischief: { ...slowReport, lost: { before: 0.01, after: 0.02 } } },
  freezes: { freeze: 0.003, skew: true, mischief: { lost: { after: 0.02 } } },
  // In the one moment that matters: behind the door, before the call. Sixteen hours are longer than a proof of absence takes.
  'frozen behind the door': { behindDoor: 0.15 },
  'bad queue': { loseJob: 0.1, twice: 0.3, flush: 0.1, kill: 0.001 },
  everything: {
    kill: 0.001,
    freeze: 0.001,
    skew: true,
    refuse: 0.02,
    late: 0.02,
    loseJob: 0.05,
    twice: 0.1,
    flush: 0.02,
    mischief: {
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

/** Those that every promise has to stand. */
export const weatherNames = Object.keys(kinds).filter((name) => name !== 'long tail')

export function weatherOf(name: string, stormMs: number): Weather {
  const odds = kinds[name]
  if (!odds) throw new Error(`There is no weather ${name}; there is: ${weatherNames.join(', ')}.`)
  const storm = (nowMs: number) => nowMs < stormMs
  const { behindDoor = 0, kill = 0, freeze = 0, refuse = 0, late = 0, loseJob = 0, twice = 0, flush = 0 } = odds
  return {
    name,
    stormMs,
    kills: (dice, nowMs) => kill > 0 && storm(nowMs) && dice.chance(kill),
    // Around the five seconds that a call stays fresh after its door, around its deadline, and around the loss of a lease.
    freezes(dice, nowMs, verb) {
      if (behindDoor > 0 && verb === 'passDoor' && storm(nowMs) && dice.chance(behindDoor)) return 16 * hour
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
      if (!storm(nowMs) || loseJob + twice === 0) return 'well'
      const throwOf = dice.next()
      if (throwOf < loseJob) return 'lost'
      return throwOf < loseJob + twice ? 'twice' : 'late'
    },
    flushes: (dice, nowMs) => flush > 0 && storm(nowMs) && dice.chance(flush),
    mischief: odds.mischief ?? {},
    portal: odds.portal ?? 'nobody',
    batch: odds.batch ?? null,
  }
}
