// One of the two ledgers that are held against each other, behind one face. Both live on one virtual clock, so that even times compare.

import type { State } from '#src/issuance/state.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { Clock } from '#src/time/clock.ts'

export interface Side {
  ledger: Ledger
  clock: Clock
  /** Tells a ledger whose clock is elsewhere what time it is. */
  setClock(): Promise<void>
  /** In the order in which they came to be, so that a command can say "the third" to both sides. */
  runs: string[]
  /** Everything that the ledger holds, with its own ids and with milliseconds in place of times. */
  standing(): Promise<Standing>
  /** Ids by rank, as of the last standing. */
  issuances: { id: number; state: State }[]
  attempts: { id: number; phase: string; size: number; course: string }[]
  scans: number[]
  /** Runs that the brake holds. */
  braked: string[]
}

type Entry = Record<string, unknown>

export interface Standing {
  issuances: (Entry & {
    id: number
    run: string
    state: State
    attempt: number | null
    evidence: Entry | null
    history: Entry[]
  })[]
  attempts: (Entry & {
    id: number
    phase: string
    size: number
    course: string
    items: (Entry & { issuance: number })[]
  })[]
  runs: (Entry & { id: string })[]
  courses: Entry[]
  scans: (Entry & { id: number })[]
  sightings: Entry[]
  surplus: (Entry & { issuance: number })[]
  poller: Entry | null
}

/** Days begin at noon here: the first of March. */
export const epoch = Date.parse('2026-03-01T12:00:00Z')

export interface SharedClock extends Clock {
  advance(ms: number): void
}

export function sharedClock(): SharedClock {
  let elapsed = 0
  return {
    now: () => new Date(epoch + elapsed),
    monotonicMs: () => elapsed,
    sleep: () => Promise.reject(new TypeError('Nobody sleeps here.')),
    advance(ms) {
      elapsed += ms
    },
  }
}

/** What a command's "the third" is looked up in. */
export function noteIds(side: Side, { issuances, attempts, scans, runs }: Standing): void {
  side.issuances = issuances.map(({ id, state }) => ({ id, state }))
  side.attempts = attempts.map(({ id, phase, size, course }) => ({ id, phase, size, course }))
  side.scans = scans.map((each) => each.id)
  side.braked = runs.filter((each) => each.state === 'braked').map((each) => each.id)
}
