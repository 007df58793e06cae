// The ledger's twin in memory, for simulations of the whole worker: the same verbs and results without a database. The
// verbs are documented in src/ledger; twin.test.ts compares the two.
//
// Each verb is async but does all of its work synchronously, so verbs run one after the other, like transactions that
// wait for each other.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { ArchiveStore } from '#src/extensions/certificates/ledger/archives.ts'
import type { WatchingStore } from '#src/ledger/report/watching.ts'
import type { RevocationStore } from '#src/ledger/revocations/revocations.ts'
import { lockName } from '#src/ledger/workers/locks.ts'
import { workerLockName } from '#src/ledger/workers/worker-registration.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import * as absence from './absence.ts'
import * as attempts from './attempts.ts'
import * as candidates from './candidates.ts'
import { listStatusOf } from './compare-lists.ts'
import { compareMarks } from './compare-marks.ts'
import * as courses from './courses.ts'
import * as decisions from './decisions.ts'
import * as intake from './intake.ts'
import { type MemoryLock, type MemoryLocks, memoryLocks } from './memory-locks.ts'
import * as outcomes from './outcomes.ts'
import { prepareAttempts } from './prepare.ts'
import type { AttemptRecord, ClaimRecord, HistoryRecord, IssuanceRecord, RunRecord } from './records.ts'
import { applyReport } from './report.ts'
import * as runs from './runs.ts'
import * as scans from './scans.ts'
import { keyName, openTables, type Tables } from './tables.ts'
import * as work from './work.ts'
import * as writeBacks from './write-backs.ts'

/** The verbs that the jobs use. The twin has no others: commands and probes are tested on real ledgers. */
export interface LedgerVerbs
  extends Pick<
    WholeLedger,
    | 'id'
    | 'environment'
    | 'version'
    | 'hasher'
    | 'intake'
    | 'writeBacks'
    | 'attempts'
    | 'work'
    | 'poller'
    | 'report'
    | 'absence'
    | 'workers'
    | 'locks'
  > {
  runs: Omit<WholeLedger['runs'], 'list' | 'named'>
  knownRows: Pick<WholeLedger['knownRows'], 'compare'>
  brake: Pick<WholeLedger['brake'], 'approve' | 'reject'>
  courses: Omit<WholeLedger['courses'], 'needsCanary'>
  scans: Omit<WholeLedger['scans'], 'completeSince'>
  probes: Pick<WholeLedger['probes'], 'find'>
  decisions: Omit<WholeLedger['decisions'], 'correct' | 'retriable'>
}

export interface MemoryLedger extends LedgerVerbs {
  /** In a simulation no one stops or resumes sending. */
  sendingStops: Pick<WholeLedger['sendingStops'], 'compare'>
  /** In a simulation no one revokes: the jobs query and find nothing. */
  revocations: Pick<RevocationStore, 'markLost' | 'noteRevoked' | 'due' | 'take' | 'readyCorrections'>
  /** No pipeline of a simulation has an archive. */
  archives: Pick<ArchiveStore, 'watch' | 'take'>
  /** In a simulation nobody is forgotten. */
  erasures: Pick<WholeLedger['erasures'], 'open' | 'lost' | 'toRecord' | 'recordsBeyond'>
  /** Written for people and read by no job. */
  obstacles: Pick<WholeLedger['obstacles'], 'note' | 'clear'>
  /** A simulation is too short for anyone to revoke. */
  watching: Pick<WatchingStore, 'begin' | 'take'>
  /** No learning system takes part. */
  completions: Pick<WholeLedger['completions'], 'waiting' | 'columnsOf' | 'rowsOf' | 'takeToCompare'>
  inboundEvents: Pick<WholeLedger['inboundEvents'], 'waiting' | 'forgetBodies'>
  learningSystems: Pick<WholeLedger['learningSystems'], 'take'>
  drift: Pick<WholeLedger['drift'], 'take'>
  deliveries: Pick<WholeLedger['deliveries'], 'waiting'>
  /** The same ledger for another process, with separate locks. */
  as(owner: string): MemoryLedger
  readonly records: MemoryRecords
}

/** Read-only access to the twin's records. */
export interface MemoryRecords {
  readonly locks: MemoryLocks
  /** In id order. Read-only, as are the following. */
  issuances(): readonly Readonly<IssuanceRecord>[]
  attempts(): readonly Readonly<AttemptRecord>[]
  claims(): Iterable<Readonly<ClaimRecord>>
  runs(): Iterable<Readonly<RunRecord>>
  history(issuanceId: number): readonly HistoryRecord[]
  /** All the other tables. */
  books(): Readonly<Pick<Tables, 'courses' | 'scans' | 'sightings' | 'surplus' | 'poller'>>
}

/**
 * @param of.clock its `now()` is the database's clock
 * @param of.hashKey 32 bytes
 * @param of.lostAfterMs time after which a job without a trace is requested again
 */
export function openMemoryLedger(of: {
  clock: Clock
  hashKey: Buffer
  /** Used instead of a hasher made from the key. */
  hasher?: Hasher
  environment?: string
  lostAfterMs?: number
}): MemoryLedger {
  const { clock, hashKey, hasher = new Hasher(hashKey), environment = 'development', lostAfterMs = 30_000 } = of
  return ledgerOf(openTables(clock, environment, lostAfterMs), hasher, memoryLocks(), 'nobody')
}

/** For callers that need a whole Ledger: a verb that the twin does not have throws a TypeError when called. */
export function asLedger(memory: MemoryLedger): WholeLedger {
  return memory as unknown as WholeLedger
}

function ledgerOf(tables: Tables, hasher: Hasher, locks: MemoryLocks, owner: string): MemoryLedger {
  return {
    id: '00000000-0000-4000-8000-000000000000',
    environment: tables.environment,
    hasher,
    version: { outdated: new Promise<never>(() => {}), check: async () => {} },
    ...intakeGroups(tables),
    ...sendingGroups(tables),
    ...reportGroups(tables),
    work: workStore(tables),
    writeBacks: writeBackStore(tables),
    decisions: decisionStore(tables),
    locks: lockStore(tables, locks, owner),
    workers: workerStore(tables, locks, owner),
    sendingStops: { compare: async (witnesses) => compareMarks(tables, witnesses) },
    revocations: {
      markLost: async () => {},
      noteRevoked: async () => {},
      due: async () => [],
      take: async () => false,
      readyCorrections: async () => [],
    },
    archives: { watch: async () => {}, take: async () => [] },
    erasures: {
      open: async () => [],
      lost: async () => [],
      toRecord: async () => [],
      recordsBeyond: async () => [],
    },
    obstacles: { note: async () => {}, clear: async () => {} },
    watching: { begin: async () => {}, take: async () => false },
    completions: {
      waiting: async () => [],
      columnsOf: async () => [],
      async *rowsOf() {},
      takeToCompare: async () => [],
    },
    inboundEvents: { waiting: async () => [], forgetBodies: async () => 0 },
    learningSystems: { take: async () => [] },
    drift: { take: async () => [] },
    deliveries: { waiting: async () => [] },
    as: (other) => ledgerOf(tables, hasher, locks, other),
    records: {
      locks,
      issuances: () => tables.issuances,
      attempts: () => tables.attempts,
      claims: () => tables.claims.values(),
      runs: () => tables.runs.values(),
      history: (issuanceId) => tables.issuances[issuanceId - 1]?.history ?? [],
      books: () => tables,
    },
  }
}

function intakeGroups(tables: Tables) {
  return {
    runs: {
      receive: async (source) => runs.receiveRun(tables, source),
      find: async (id) => runs.findRun(tables, id),
      withStates: async (id) => runs.runWithStates(tables, id),
      noteUnreadable: async (id) => runs.missRun(tables, id),
      noteReadable: async (id) => runs.foundRun(tables, id),
      refuse: async (id, sentence) => runs.refuseRun(tables, id, sentence),
      notePaths: async (id, paths) => runs.noteRunPaths(tables, id, paths),
      settle: async () => runs.settleRuns(tables),
    },
    intake: {
      clear: async (runId) => intake.clearStaged(tables, runId),
      stage: async (runId, rows) => intake.stageRows(tables, runId, rows),
      publish: async (runId, publication, read) => intake.publishRun(tables, runId, publication, read),
    },
    knownRows: {
      compare: async (course, rows) =>
        rows.map((row) => listStatusOf(tables.byKey.get(keyName({ uuid: course }, row.issuanceKey)), row.recipient)),
    },
    brake: {
      approve: async (runId, decision) => runs.approveRun(tables, runId, decision),
      reject: async (runId, decision) => runs.rejectRun(tables, runId, decision),
    },
  } satisfies Partial<LedgerVerbs>
}

function sendingGroups(tables: Tables) {
  return {
    attempts: {
      prepare: async (pipeline, size, { canary = false, batches = 1 } = {}) =>
        prepareAttempts(tables, { pipeline, size, canary, batches }),
      load: async (attemptId) => attempts.loadBatch(tables, attemptId),
      claim: async (claim) => attempts.claimAttempt(tables, claim),
      drop: async (attemptId, why, waitMs) => attempts.dropAttempt(tables, attemptId, why, waitMs),
      countPrepared: async () => tables.prepared.size,
      countOpen: async () => tables.prepared.size + tables.sending.size,
      end: async ({ attemptId }, end, disposal) => outcomes.endAttempt(tables, attemptId, end, disposal),
      async markLost(aliveInstance, on, dead = []) {
        await on?.query('')
        return outcomes.loseAttempts(tables, aliveInstance, dead)
      },
    },
    courses: {
      pause: async (course, reason, ms) => courses.pauseCourse(tables, course, reason, ms),
      pauseAfterTrouble: async (course, breaker) => courses.pauseAfterTrouble(tables, course, breaker),
      learnedBatchLimit: async (pipeline) => courses.learnedBatchLimit(tables, pipeline),
      pauses: async () => courses.pauses(tables),
    },
    // In a simulation no course has a probe.
    probes: { find: async () => null },
  } satisfies Partial<LedgerVerbs>
}

function reportGroups(tables: Tables) {
  return {
    scans: {
      baselineIsFresh: async (maxAgeMs, begunAfter = null) => scans.baselineIsFresh(tables, maxAgeMs, begunAfter),
      baselineSince: async () => scans.baselineSince(tables),
      begin: async (since) => scans.beginScan(tables, since),
      end: async (id, end) => scans.endScan(tables, id, end),
      noteSightings: async (items) => scans.noteSightings(tables, items),
      firstSightings: async (keys) => scans.firstSightings(tables, keys),
    },
    poller: {
      read: async () => scans.readWatch(tables),
      schedule: async (nextMs, deepMs) => scans.schedulePoller(tables, nextMs, deepMs),
      hurry: async (withinMs) => scans.hurryPoller(tables, withinMs),
    },
    report: {
      findCandidates: async (hashes, keys) => candidates.findCandidates(tables, hashes, keys),
      findClaims: async (keys) => candidates.findClaims(tables, keys),
      apply: async (news) => applyReport(tables, news),
    },
    absence: {
      unshownRows: async (since) => absence.unshownRows(tables, since),
      noteLooks: async (ids, scan, look) => absence.noteLooks(tables, ids, scan, look),
      sendAgain: async (ids, how, scan) => absence.sendAgain(tables, ids, how, scan),
      hold: async (ids, reason, scan) => absence.holdRows(tables, ids, reason, scan),
    },
  } satisfies Partial<LedgerVerbs>
}

function workStore(tables: Tables): LedgerVerbs['work'] {
  return {
    takeRunsToRead: async () => work.takeRunsToRead(tables),
    takeAttemptsToSend: async () => work.takeAttemptsToSend(tables),
    takePoll: async () => work.takePoll(tables),
    takeWriteBacks: async () => work.takeWriteBacks(tables),
    unsentByPipeline: async () => work.unsentByPipeline(tables),
    forgetEnqueued: async () => work.forgetAsked(tables),
    pipelinesWithDueRows: async () => work.pipelinesWithDueRows(tables),
  }
}

function writeBackStore(tables: Tables): LedgerVerbs['writeBacks'] {
  return {
    want: async (runId) => writeBacks.wantResults(tables, runId),
    wantedVersion: async (runId) => writeBacks.wantedVersion(tables, runId),
    noteReported: async (runId, version) => writeBacks.noteReported(tables, runId, version),
    readRows: (runId, only, take) => writeBacks.readResultRows(tables, runId, only, take),
  }
}

function decisionStore(tables: Tables): LedgerVerbs['decisions'] {
  return {
    heldRows: async () => decisions.heldRows(tables),
    resolve: async (ids, answer, decision) => decisions.resolveHeld(tables, ids, answer, decision),
    retry: async (of, decision) => decisions.retryFailed(tables, of, decision),
  }
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

function lockStore(tables: Tables, locks: MemoryLocks, owner: string): LedgerVerbs['locks'] {
  const nameOf = (name: string) => lockName(tables.environment, name)
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
    async hold(name: string) {
      const lock = await locks.take(owner, nameOf(name), false)
      return lock && sessionOf(lock)
    },
  }
}

function workerStore(tables: Tables, locks: MemoryLocks, owner: string): LedgerVerbs['workers'] {
  const { workers, now, environment } = tables
  const isHeld = (name: string) => locks.isHeld(lockName(environment, name))
  return {
    // All workers of a simulation run the same version.
    async join(instance: string) {
      const lock = await locks.take(owner, lockName(environment, workerLockName(instance)), false)
      return lock && sessionOf(lock)
    },
    record: async (_self, _held, lock = 'worker') => void workers.set(lock, now()),
    async noteAlive(instance) {
      const isShown = workers.has(workerLockName(instance))
      if (isShown) workers.set(workerLockName(instance), now())
      return isShown
    },
    // One store for all; the simulation itself drops the lock of a frozen holder.
    noteStore: async () => {},
    withOtherStore: async () => [],
    terminateStalled: async () => [],
    dead: async (silentMs) =>
      [...workers]
        .filter(([lock, seenAt]) => lock !== 'worker' && seenAt < now() - silentMs && !isHeld(lock))
        .map(([lock]) => lock.slice(workerLockName('').length)),
    async forget(instances) {
      for (const lock of instances.map(workerLockName)) if (!isHeld(lock)) workers.delete(lock)
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
    /** Runs no SQL: it only reports whether the connection still exists. */
    async query() {
      if (lost) throw new Error('The connection was lost.')
      return { rows: [], rowCount: 0 }
    },
  }
}
