// All tables of a twin, with the indexes that its verbs use. A twin has one environment.

import { type State, states } from '#src/domain/credential/state.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type {
  AttemptRecord,
  ClaimRecord,
  CourseRecord,
  IssuanceRecord,
  Lane,
  RunRecord,
  ScanRecord,
} from './records.ts'

export interface Tables {
  readonly environment: string
  readonly lostAfterMs: number
  /** The database's clock: never returns the same time twice, so that events are ordered. Each verb reads it once. */
  readonly now: () => number
  /** Runs `work` as one transaction: if it throws, the changes recorded in `undo` are rolled back. */
  readonly transaction: <Result>(work: () => Result) => Result
  readonly undo: (step: () => void) => void
  /** By id, starting at 1; an id's index is one less. */
  readonly issuances: IssuanceRecord[]
  readonly attempts: AttemptRecord[]
  readonly scans: ScanRecord[]
  readonly runs: Map<string, RunRecord>
  readonly courses: Map<string, CourseRecord>
  readonly lanes: Map<string, Lane>
  /** By course and issuance key. */
  readonly byKey: Map<string, IssuanceRecord>
  /** By the hex of a match hash. */
  readonly byMatch: Map<string, IssuanceRecord[]>
  readonly inState: Readonly<Record<State, Set<IssuanceRecord>>>
  readonly prepared: Set<AttemptRecord>
  readonly sending: Set<AttemptRecord>
  /** The claims in order; the first is number 1. */
  readonly sendingClaims: AttemptRecord[]
  readonly claims: Map<string, ClaimRecord>
  readonly sightings: Map<string, Date>
  readonly surplus: Map<string, IssuanceRecord>
  /** When each worker last showed a sign of life, by its lock. */
  readonly workers: Map<string, number>
  poller: { dueAt: number; deepDueAt: number; askedAt: number | null } | null
}

// About a microsecond, as a power of two, so that adding it is exact for numbers of this size.
const tick = 2 ** -10

export function openTables(clock: Clock, environment: string, lostAfterMs: number): Tables {
  let last = Number.NEGATIVE_INFINITY
  let undone: (() => void)[] | null = null
  return {
    environment,
    lostAfterMs,
    now() {
      last = Math.max(clock.now().getTime(), last + tick)
      return last
    },
    transaction(work) {
      const steps: (() => void)[] = []
      undone = steps
      try {
        return work()
      } catch (error) {
        undone = null
        for (const step of steps.reverse()) step()
        throw error
      } finally {
        undone = null
      }
    },
    undo: (step) => void undone?.push(step),
    issuances: [],
    attempts: [],
    scans: [],
    runs: new Map(),
    courses: new Map(),
    lanes: new Map(),
    byKey: new Map(),
    byMatch: new Map(),
    inState: Object.fromEntries(states.map((state) => [state, new Set()])) as unknown as Tables['inState'],
    prepared: new Set(),
    sending: new Set(),
    sendingClaims: [],
    claims: new Map(),
    sightings: new Map(),
    workers: new Map(),
    surplus: new Map(),
    poller: null,
  }
}

/** A course without data has learned nothing and has no pause. */
export function courseOf(tables: Tables, uuid: string): CourseRecord {
  const known = tables.courses.get(uuid)
  if (known) return known
  const course: CourseRecord = {
    uuid,
    certificateName: null,
    batchLimit: null,
    pausedUntil: Number.NEGATIVE_INFINITY,
    pauseReason: null,
    canarySince: Number.NEGATIVE_INFINITY,
    firstList: null,
    trusted: false,
    calls: [],
    pausedSince: Number.NEGATIVE_INFINITY,
    pausedAfterTrouble: false,
    troubleLevel: 0,
    openAttempts: 0,
  }
  tables.courses.set(uuid, course)
  return course
}

export function laneOf(tables: Tables, pipeline: string, course: CourseRecord): Lane {
  const name = `${course.uuid} ${pipeline}`
  const known = tables.lanes.get(name)
  if (known) return known
  const lane: Lane = { pipeline, course, heap: [] }
  tables.lanes.set(name, lane)
  return lane
}

/** The keys under which `byKey` stores a credential. */
export function keyName(course: Pick<CourseRecord, 'uuid'>, issuanceKey: Buffer): string {
  return `${course.uuid} ${issuanceKey.toString('latin1')}`
}

/** The issuances with these ids, as far as they exist, in order and without duplicates. */
export function issuancesOf(tables: Tables, ids: readonly number[]): IssuanceRecord[] {
  return [...new Set(ids)].sort((a, b) => a - b).flatMap((id) => tables.issuances[id - 1] ?? [])
}

/** Writes to a record so that a transaction can roll it back. For an issuance, see change-issuance.ts. */
export function write<Written extends object>(tables: Tables, record: Written, values: Partial<Written>): void {
  const before: Partial<Written> = {}
  for (const name of Object.keys(values) as (keyof Written)[]) before[name] = record[name]
  Object.assign(record, values)
  tables.undo(() => Object.assign(record, before))
}

export const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at))

/** The UTC day, YYYY-MM-DD, a number of days before a time. */
export function dayOf(at: number, daysBefore = 0): string {
  return new Date(at - daysBefore * 86_400_000).toISOString().slice(0, 10)
}
