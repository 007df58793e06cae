// The common interface of the two ledgers that are compared. Both use one virtual clock, so that even times can be
// compared.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import type { State } from '#src/domain/credential/state.ts'
import type { CommittedClaim } from '#src/ledger/attempts/commit-claim.ts'
import type { Clock } from '#src/platform/time/clock.ts'

export interface Side {
  ledger: WholeLedger
  clock: Clock
  /** Sets the time, if the ledger has its own clock. */
  setClock(): Promise<void>
  /** In creation order, so that a command can refer to "the third" on both sides. */
  runs: string[]
  /** The claims of the attempts. */
  sendingClaims: Map<number, CommittedClaim>
  /** The full state of the ledger, with its own ids and with times in milliseconds. */
  fullState(): Promise<FullState>
  /** Ids by rank, as of the last full state. */
  issuances: { id: number; state: State }[]
  attempts: { id: number; phase: string; size: number; course: string }[]
  scans: number[]
  /** Runs held by the brake. */
  braked: string[]
}

type Entry = Record<string, unknown>

export interface FullState {
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

/** The start of the virtual clock: noon on 1 March. */
export const epoch = Date.parse('2026-03-01T12:00:00Z')

export interface SharedClock extends Clock {
  advance(ms: number): void
}

export function sharedClock(): SharedClock {
  let elapsed = 0
  return {
    now: () => new Date(epoch + elapsed),
    monotonicMs: () => elapsed,
    sleep: () => Promise.reject(new TypeError('The virtual clock does not support sleep.')),
    advance(ms) {
      elapsed += ms
    },
  }
}

/** Records the ids from which a command's "the third" is selected. */
export function noteIds(side: Side, { issuances, attempts, scans, runs }: FullState): void {
  side.issuances = issuances.map(({ id, state }) => ({ id, state }))
  side.attempts = attempts.map(({ id, phase, size, course }) => ({ id, phase, size, course }))
  side.scans = scans.map((scan) => scan.id)
  side.braked = runs.filter((run) => run.state === 'braked').map((run) => run.id)
}
