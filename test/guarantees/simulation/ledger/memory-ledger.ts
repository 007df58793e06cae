// The ledger's twin in memory, for simulations of the whole worker: the same verbs, the same answers, no database. What each verb
// means is written in src/ledger; twin.test.ts holds the two against each other.

import { Hasher } from '#src/issuance/identity.ts'
import type { ArchiveVerbs } from '#src/ledger/archives.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { RevocationVerbs } from '#src/ledger/revocations.ts'
import { lockOf } from '#src/ledger/shown-worker.ts'
import type { Clock } from '#src/time/clock.ts'
import * as absence from './absence.ts'
import * as attempts from './attempts.ts'
import * as candidates from './candidates.ts'
import { standingOf } from './compare-lists.ts'
import * as courses from './courses.ts'
import * as decisions from './decisions.ts'
import * as intake from './intake.ts'
import { type MemoryLock, type MemoryLocks, memoryLocks } from './memory-locks.ts'
import * as outcomes from './outcomes.ts'
import { prepareAttempt } from './prepare.ts'
import type { AttemptRecord, ClaimRecord, HistoryRecord, IssuanceRecord, RunRecord } from './records.ts'
import { applyReport } from './report.ts'
import * as runs from './runs.ts'
import * as scans from './scans.ts'
import { keyName, openTables, type Tables } from './tables.ts'
import * as work from './work.ts'
import * as writeBacks from './write-backs.ts'

/** What the jobs ask of a ledger. The twin has no more: reading commands and probes have a ledger of their own to be tested on. */
export type LedgerVerbs = Omit<
  Ledger,
  | 'inboxes'
  | 'archives'
  | 'completions'
  | 'lookBack'
  | 'deliveries'
  | 'learningSystems'
  | 'tells'
  | 'revocations'
  | 'adoptions'
  | 'problemsOf'
  | 'needsCanary'
  | 'correctFailed'
  | 'knownPeople'
  | 'recentSizes'
  | 'readImages'
  | 'listRuns'
  | 'runsNamed'
  | 'issuanceStates'
  | 'completeScanSince'
  | 'explain'
  | 'keepProbe'
>

export interface MemoryLedger extends LedgerVerbs {
  /** Nobody revokes in a simulation: the jobs ask, and find nothing. */
  revocations: Pick<RevocationVerbs, 'lose' | 'noteRevoked' | 'due' | 'take' | 'readyCorrections'>
  /** No pipeline of a simulation has an archive. */
  archives: Pick<ArchiveVerbs, 'watch' | 'take'>
  /** Nor does a learning system tell of anybody. */
  completions: Pick<Ledger['completions'], 'waiting' | 'columnsOf' | 'rowsOf' | 'takeToCompare'>
  deliveries: Pick<Ledger['deliveries'], 'waiting' | 'forgetBodies'>
  learningSystems: Pick<Ledger['learningSystems'], 'take'>
  tells: Pick<Ledger['tells'], 'waiting'>
  /** The same ledger for another process: its locks are its own. */
  as(owner: string): MemoryLedger
  readonly locks: MemoryLocks
  /** In the order of their ids. To look at, not to change; so are the following. */
  issuances(): readonly Readonly<IssuanceRecord>[]
  attempts(): readonly Readonly<AttemptRecord>[]
  claims(): Iterable<Readonly<ClaimRecord>>
  runs(): Iterable<Readonly<RunRecord>>
  history(issuanceId: number): readonly HistoryRecord[]
  /** All the rest. */
  books(): Readonly<Pick<Tables, 'courses' | 'scans' | 'sightings' | 'surplus' | 'poller'>>
}

/**
 * @param of.clock its `now()` is the database's clock
 * @param of.hashKey 32 bytes
 * @param of.lostAfterMs after which a job that has not shown itself is asked for again
 */
export function openMemoryLedger(of: {
  clock: Clock
  hashKey: Buffer
  /** Another hasher than the key's own. */
  hasher?: Hasher
  environment?: string
  lostAfterMs?: number
}): MemoryLedger {
  const { clock, hashKey, hasher = new Hasher(hashKey), environment = 'development', lostAfterMs = 30_000 } = of
  return ledgerOf(openTables(clock, environment, lostAfterMs), hasher, memoryLocks(), 'nobody')
}

/** For tools that ask for a whole Ledger: a verb that the twin does not have is then a TypeError where it is called. */
export function asLedger(memory: MemoryLedger): Ledger {
  return memory as unknown as Ledger
}

function ledgerOf(tables: Tables, hasher: Hasher, locks: MemoryLocks, owner: string): MemoryLedger {
  return {
    id: '00000000-0000-4000-8000-000000000000',
    environment: tables.environment,
    hasher,
    ...intakeVerbs(tables),
    ...sendingVerbs(tables),
    ...reportVerbs(tables),
    ...workVerbs(tables),
    ...personVerbs(tables),
    ...lockVerbs(tables, locks, owner),
    revocations: {
      lose: async () => [],
      noteRevoked: async () => {},
      due: async () => [],
      take: async () => false,
      readyCorrections: async () => [],
    },
    archives: { watch: async () => {}, take: async () => [] },
    completions: {
      waiting: async () => [],
      columnsOf: async () => [],
      async *rowsOf() {},
      takeToCompare: async () => [],
    },
    deliveries: { waiting: async () => [], forgetBodies: async () => 0 },
    learningSystems: { take: async () => [] },
    tells: { waiting: async () => [] },
    as: (other) => ledgerOf(tables, hasher, locks, other),
    locks,
    issuances: () => tables.issuances,
    attempts: () => tables.attempts,
    claims: () => tables.claims.values(),
    runs: () => tables.runs.values(),
    history: (issuanceId) => tables.issuances[issuanceId - 1]?.history ?? [],
    books: () => tables,
  }
}

// Each verb is async and has done all of its work when it is called: one after the other, as transactions that wait for each other.

function intakeVerbs(tables: Tables) {
  return {
    receiveRun: async (source) => runs.receiveRun(tables, { ...source, environment: tables.environment }),
    showWorker: async (_self, _held, lock = 'worker') => void tables.workers.set(lock, tables.now()),
    findRun: async (id) => runs.findRun(tables, id),
    runWithStates: async (id) => runs.runWithStates(tables, id),
    missRun: async (id) => runs.missRun(tables, id),
    foundRun: async (id) => runs.foundRun(tables, id),
    refuseRun: async (id, sentence) => runs.refuseRun(tables, id, sentence),
    noteRunPaths: async (id, paths) => runs.noteRunPaths(tables, id, paths),
    settleRuns: async () => runs.settleRuns(tables),
    clearStaged: async (runId) => intake.clearStaged(tables, runId),
    stageRows: async (runId, rows) => intake.stageRows(tables, runId, rows),
    publishRun: async (runId, publication, read) => intake.publishRun(tables, runId, publication, read),
    compareRows: async (course, rows) =>
      rows.map((row) => standingOf(tables.byKey.get(keyName({ uuid: course }, row.issuanceKey)), row.recipient)),
  } satisfies Partial<LedgerVerbs>
}

function sendingVerbs(tables: Tables) {
  return {
    prepareAttempt: async (pipeline, size, { canary = false } = {}) =>
      prepareAttempt(tables, { pipeline, size, canary }),
    pauseAfterTrouble: async (course, ms) => courses.pauseAfterTrouble(tables, course, ms),
    loadBatch: async (attemptId) => attempts.loadBatch(tables, attemptId),
    passDoor: async (door) => attempts.passDoor(tables, door),
    dropAttempt: async (attemptId, why, waitMs) => attempts.dropAttempt(tables, attemptId, why, waitMs),
    countPreparedAttempts: async () => tables.prepared.size,
    countOpenAttempts: async () => tables.prepared.size + tables.sending.size,
    endAttempt: async (attemptId, end, disposal) => outcomes.endAttempt(tables, attemptId, end, disposal),
    async loseAttempts(aliveInstance, on, dead = []) {
      await on?.query('')
      return outcomes.loseAttempts(tables, aliveInstance, dead)
    },
    pauseCourse: async (course, reason, ms) => courses.pauseCourse(tables, course, reason, ms),
    learnedBatchLimit: async (pipeline) => courses.learnedBatchLimit(tables, pipeline),
    pauses: async () => courses.pauses(tables),
  } satisfies Partial<LedgerVerbs>
}

function reportVerbs(tables: Tables) {
  return {
    baselineIsFresh: async (maxAgeMs, begunAfter = null) => scans.baselineIsFresh(tables, maxAgeMs, begunAfter),
    baselineSince: async () => scans.baselineSince(tables),
    beginScan: async (since) => scans.beginScan(tables, since),
    endScan: async (id, end) => scans.endScan(tables, id, end),
    noteSightings: async (items) => scans.noteSightings(tables, items),
    firstSightings: async (keys) => scans.firstSightings(tables, keys),
    readWatch: async () => scans.readWatch(tables),
    schedulePoller: async (nextMs, deepMs) => scans.schedulePoller(tables, nextMs, deepMs),
    hurryPoller: async (withinMs) => scans.hurryPoller(tables, withinMs),
    findCandidates: async (hashes, keys) => candidates.findCandidates(tables, hashes, keys),
    findClaims: async (keys) => candidates.findClaims(tables, keys),
    applyReport: async (news) => applyReport(tables, news),
    unshownRows: async (since) => absence.unshownRows(tables, since),
    noteLooks: async (ids, scan, look) => absence.noteLooks(tables, ids, scan, look),
    sendAgain: async (ids, how, scan) => absence.sendAgain(tables, ids, how, scan),
    // No course of a simulation was ever probed.
    probeOf: async () => null,
    holdRows: async (ids, reason, scan) => absence.holdRows(tables, ids, reason, scan),
  } satisfies Partial<LedgerVerbs>
}

function workVerbs(tables: Tables) {
  return {
    takeRunsToRead: async () => work.takeRunsToRead(tables),
    takeAttemptsToSend: async () => work.takeAttemptsToSend(tables),
    takePoll: async () => work.takePoll(tables),
    takeWriteBacks: async () => work.takeWriteBacks(tables),
    unsentByPipeline: async () => work.unsentByPipeline(tables),
    forgetAsked: async () => work.forgetAsked(tables),
    pipelinesWithDueRows: async () => work.pipelinesWithDueRows(tables),
    wantResults: async (runId) => writeBacks.wantResults(tables, runId),
    wantedVersion: async (runId) => writeBacks.wantedVersion(tables, runId),
    noteTold: async (runId, version) => writeBacks.noteTold(tables, runId, version),
    readResultRows: (runId, only, take) => writeBacks.readResultRows(tables, runId, only, take),
  } satisfies Partial<LedgerVerbs>
}

function personVerbs(tables: Tables) {
  return {
    heldRows: async () => decisions.heldRows(tables),
    resolveHeld: async (ids, answer, decision) => decisions.resolveHeld(tables, ids, answer, decision),
    approveRun: async (runId, decision) => runs.approveRun(tables, runId, decision),
    rejectRun: async (runId, decision) => runs.rejectRun(tables, runId, decision),
    retryFailed: async (of, decision) => decisions.retryFailed(tables, of, decision),
  } satisfies Partial<LedgerVerbs>
}

async function holding<Result>(
  lock: { release(): Promise<void> } | null,
  work: () => Promise<Result>,
): Promise<Result | null> {
  if (!lock) return null
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

function lockVerbs(tables: Tables, locks: MemoryLocks, owner: string) {
  const nameOf = (name: string) => `credsync:${tables.environment}:${name}`
  async function takeAfter(name: string) {
    const line = await locks.take(owner, `${name}:waits`, false)
    if (!line) return null
    const lock = await locks.take(owner, name, true)
    await line.release()
    return lock
  }
  return {
    async withLock<Result>(name: string, work: () => Promise<Result>, wait = true): Promise<Result | null> {
      return holding(await locks.take(owner, nameOf(name), wait), work)
    },
    async withLockAfter<Result>(name: string, work: () => Promise<Result>): Promise<Result | null> {
      return holding((await locks.take(owner, nameOf(name), false)) ?? (await takeAfter(nameOf(name))), work)
    },
    async holdLock(name: string) {
      const lock = await locks.take(owner, nameOf(name), false)
      return lock && sessionOf(lock)
    },
    // All workers of a simulation are of one kind.
    async joinWorkers(instance: string) {
      const lock = await locks.take(owner, nameOf(lockOf(instance)), false)
      return lock && sessionOf(lock)
    },
    workers: crewVerbs(tables, (name) => locks.isHeld(nameOf(name))),
  } satisfies Partial<LedgerVerbs>
}

function crewVerbs({ workers, now }: Tables, isHeld: (name: string) => boolean): Ledger['workers'] {
  return {
    async noteAlive(instance) {
      const isShown = workers.has(lockOf(instance))
      if (isShown) workers.set(lockOf(instance), now())
      return isShown
    },
    // One store for all, and a lock whose holder stands still is dropped by the simulation itself.
    noteStore: async () => {},
    withOtherStore: async () => [],
    takeFromSilent: async () => [],
    dead: async (silentMs) =>
      [...workers]
        .filter(([lock, seenAt]) => lock !== 'worker' && seenAt < now() - silentMs && !isHeld(lock))
        .map(([lock]) => lock.slice(lockOf('').length)),
    async forget(instances) {
      for (const lock of instances.map(lockOf)) if (!isHeld(lock)) workers.delete(lock)
    },
  }
}

function sessionOf(lock: MemoryLock) {
  let lost = false
  void lock.lost.then(() => {
    lost = true
  })
  return {
    ...lock,
    /** Speaks no SQL: it only tells whether the connection is still there. */
    async query() {
      if (lost) throw new Error('The connection was lost.')
      return { rows: [], rowCount: 0 }
    },
  }
}
