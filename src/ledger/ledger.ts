// The ledger as the rest of the house sees it: verbs without SQL, for one environment. Each verb has its own file beside this one.

import type { Database, Session, Sql } from '#src/database/database.ts'
import { Hasher } from '#src/issuance/identity.ts'
import * as absence from './absence.ts'
import { adoptionVerbs } from './adoptions.ts'
import { archiveVerbs } from './archives.ts'
import * as attempts from './attempts.ts'
import * as brake from './brake.ts'
import { needsCanary, pauseAfterTrouble } from './canary.ts'
import * as courses from './courses.ts'
import { crewVerbs } from './crew.ts'
import * as decisions from './decisions.ts'
import { explain } from './explain.ts'
import * as images from './images.ts'
import { inboxVerbs } from './inboxes.ts'
import * as intake from './intake.ts'
import { knownPeople, type PersonRule } from './known-people.ts'
import { compareRows, type RowToCompare } from './known-rows.ts'
import { learningVerbs } from './learning.ts'
import { lockVerbs } from './locks.ts'
import * as outcomes from './outcomes.ts'
import { prepareAttempt } from './prepare.ts'
import * as probes from './probes.ts'
import * as report from './report.ts'
import type { Correction } from './revocation.ts'
import { revocationVerbs } from './revocations.ts'
import * as runs from './runs.ts'
import * as scans from './scans.ts'
import { showWorker, type WorkerSelf } from './shown-worker.ts'
import { problemsOf } from './violations.ts'
import * as work from './work.ts'
import * as writeBacks from './write-backs.ts'

export type Ledger = Awaited<ReturnType<typeof openLedger>>

/**
 * @param database with the migrations applied
 * @param options.lostAfterMs after which a job that has not shown itself is asked for again
 */
export async function openLedger(database: Database, environment: string, { lostAfterMs = 30_000 } = {}) {
  const { rows } = await database.query<{ key: Buffer; id: string }>('SELECT hash_key AS key, id FROM ledger')
  const row = rows[0]
  if (!row)
    throw new Error(
      'The ledger has no hash key: it was not migrated. Run any credsync command that changes something, such as check.',
    )
  const db = database
  return {
    id: row.id,
    environment,
    hasher: new Hasher(row.key),
    inboxes: inboxVerbs(db, environment, lostAfterMs),
    revocations: revocationVerbs(db, environment, lostAfterMs),
    adoptions: adoptionVerbs(db, environment),
    archives: archiveVerbs(db, environment, lostAfterMs),

    receiveRun: (source: Omit<runs.NewRun, 'environment'>) => runs.receiveRun(db, { ...source, environment }),
    findRun: (id: string) => runs.findRun(db, id),
    /** By an id or its beginning; of this environment, or of both when the ledger is only read. */
    runsNamed: (text: string) => runs.runsNamed(db, environment === 'any' ? null : environment, text),
    listRuns: (most?: number) => runs.listRuns(db, most),
    runWithStates: (id: string) => runs.runWithStates(db, id),
    missRun: (id: string) => runs.missRun(db, id),
    foundRun: (id: string) => runs.foundRun(db, id),
    refuseRun: async (id: string, sentence: string) => {
      await runs.refuseRun(db, id, sentence)
      await images.removeImages(db)
    },
    noteRunPaths: (id: string, paths: { results?: string; invalid?: string }) => runs.noteRunPaths(db, id, paths),
    /** Marks runs whose every row has come to rest, and removes the images that no row needs any more. */
    settleRuns: async () => {
      const settled = await runs.settleRuns(db, environment)
      if (settled.length > 0) await images.removeImages(db)
      return settled
    },

    clearStaged: (runId: string) => intake.clearStaged(db, runId),
    /** @param read needed where a row names an image, which is stored with it */
    stageRows: (runId: string, rows: readonly intake.StagedRow[], read?: images.ReadImage) =>
      images.stageWithImages(db, runId, rows, read),
    readImages: (hashes: readonly string[]) => images.readImages(db, hashes),
    /** Images of rows that were known already, or of a run that the brake holds, are removed again. */
    publishRun: async (runId: string, publication: intake.Publication, read: number) => {
      const published = await intake.publishRun(db, runId, publication, read)
      await images.removeImages(db)
      return published
    },
    problemsOf: (runId: string) => problemsOf(db, runId),
    /** `held` is the session that holds the lock of that name. */
    showWorker: (self: WorkerSelf, held: Sql, lock = 'worker') => showWorker(held, environment, self, lock),
    workers: crewVerbs(db, environment),
    ...learningVerbs(db, environment, lostAfterMs),

    /** For the dry run: everybody known for a course, for pipelines whose rows say by different fields who they are. */
    knownPeople: (course: string, rule: PersonRule) => knownPeople(db, environment, course, rule),
    compareRows: (course: string, rows: readonly RowToCompare[]) => compareRows(db, environment, course, rows),
    needsCanary: (course: string) => needsCanary(db, environment, course),
    recentSizes: (pipeline: string) => brake.recentSizes(db, { environment, pipeline }),

    prepareAttempt: (pipeline: string, size: number, { canary = false } = {}) =>
      prepareAttempt(db, { environment, pipeline, size, canary }),
    /** Pauses a course after trouble (see canary.ts), and takes back what was about to follow. */
    pauseAfterTrouble: (courseUuid: string, ms: number) =>
      db.transaction(async (sql) => {
        const paused = await pauseAfterTrouble(sql, environment, courseUuid, ms)
        if (paused) await attempts.dropPrepared(sql, environment, courseUuid, 'the course is paused')
        return paused
      }),
    loadBatch: (attemptId: number) => attempts.loadBatch(db, environment, attemptId),
    passDoor: (door: attempts.Door) => attempts.passDoor(db, environment, door),
    dropAttempt: (attemptId: number, why: string, waitMs: number) => attempts.dropAttempt(db, attemptId, why, waitMs),
    countPreparedAttempts: () => attempts.countPreparedAttempts(db, environment),
    countOpenAttempts: () => attempts.countOpenAttempts(db, environment),
    endAttempt: (attemptId: number, end: outcomes.AttemptEnd, disposal: outcomes.Disposal) =>
      outcomes.endAttempt(db, attemptId, end, disposal),
    /** On the session of a lock, so that only who still holds it can judge others. */
    loseAttempts: (aliveInstance: string | null, on: Pick<Session, 'query'> = db, dead: readonly string[] = []) =>
      outcomes.loseAttempts(on, environment, aliveInstance, dead),

    baselineIsFresh: (maxAgeMs: number, begunAfter: Date | null = null) =>
      scans.baselineIsFresh(db, environment, maxAgeMs, begunAfter),
    baselineSince: () => scans.baselineSince(db),
    beginScan: (since: string) => scans.beginScan(db, environment, since),
    endScan: (id: number, end: scans.ScanEnd) => scans.endScan(db, id, end),
    completeScanSince: (at: Date) => scans.completeScanSince(db, environment, at),
    noteSightings: (items: readonly { key: string; fingerprint: string; requestDate: string | null }[]) =>
      scans.noteSightings(db, environment, items),
    firstSightings: (keys: readonly string[]) => scans.firstSightings(db, environment, keys),
    readWatch: () => scans.readWatch(db, environment),
    schedulePoller: (nextMs: number, deepMs: number | null) => scans.schedulePoller(db, environment, nextMs, deepMs),
    hurryPoller: (withinMs: number) => scans.hurryPoller(db, environment, withinMs),

    findCandidates: (hashes: readonly Buffer[], keys: readonly string[]) =>
      report.findCandidates(db, environment, hashes, keys),
    findClaims: (keys: readonly string[]) => report.findClaims(db, environment, keys),
    /** Claims, states and surplus of one page of the report, in one transaction. */
    applyReport: (news: ReportNews) =>
      db.transaction(async (sql) => {
        const claimed = await report.claimItems(sql, environment, news.claims)
        await report.noteShown(sql, [...claimed, ...news.shown])
        for (const upgrade of news.upgrades) await report.upgradeClaim(sql, environment, upgrade.from, upgrade.to)
        const lost = new Set(news.claims.map((each) => each.issuanceId).filter((id) => !claimed.has(id)))
        const standing = news.moves.filter((move) => !lost.has(move.id))
        const moved = await report.moveIssuances(sql, standing)
        await attempts.dropAttemptsWithout(sql, [...moved])
        const surplus = await report.noteSurplus(sql, environment, news.surplus)
        for (const [course, name] of news.certificateNames)
          await report.learnCertificateName(sql, environment, course, name)
        await writeBacks.wantResultsOf(sql, [...moved, ...surplus])
        return { claimed: claimed.size, moved: moved.size, surplus }
      }),

    unshownRows: (since: string) => absence.unshownRows(db, environment, since),
    noteLooks: (
      ids: readonly number[],
      scan: scans.StartedScan,
      look: { controlShown: boolean; lastLookAt: Date | null },
    ) => absence.noteLooks(db, ids, scan, look),
    sendAgain: (
      ids: readonly number[],
      of: { batchCap: number | null; countsAsResend: boolean },
      scan: Pick<scans.StartedScan, 'startedAt'>,
    ) => db.transaction((sql) => absence.sendAgain(sql, ids, of, scan)),
    holdRows: (ids: readonly number[], reason: string, scan: Pick<scans.StartedScan, 'startedAt'>) =>
      db.transaction((sql) => absence.holdRows(sql, ids, reason, scan)),

    takeRunsToRead: () => work.takeRunsToRead(db, environment, lostAfterMs),
    takeAttemptsToSend: () => work.takeAttemptsToSend(db, environment, lostAfterMs),
    takePoll: () => work.takePoll(db, environment, lostAfterMs),
    takeWriteBacks: () => work.takeWriteBacks(db, environment, lostAfterMs),
    unsentByPipeline: () => work.unsentByPipeline(db, environment),
    forgetAsked: () => work.forgetAsked(db, environment),
    pipelinesWithDueRows: () => work.pipelinesWithDueRows(db, environment),

    wantResults: (runId: string) => writeBacks.wantResults(db, runId),
    wantedVersion: (runId: string) => writeBacks.wantedVersion(db, runId),
    noteTold: (runId: string, version: number) => writeBacks.noteTold(db, runId, version),
    readResultRows: (
      runId: string,
      only: readonly writeBacks.ResultRow['outcome'][],
      take: (rows: writeBacks.ResultRow[]) => Promise<void>,
    ) => writeBacks.readResultRows(db, runId, only, take),

    pauseCourse: (courseUuid: string, reason: string, ms: number) =>
      courses.pauseCourse(db, environment, courseUuid, reason, ms),
    learnedBatchLimit: (pipeline: string) => courses.learnedBatchLimit(db, environment, pipeline),
    pauses: () => courses.pauses(db, environment),
    probeOf: (courseUuid: string, of = environment) => probes.probeOf(db, of, courseUuid),
    keepProbe: (courseUuid: string, found: probes.Findings) => probes.keepProbe(db, environment, courseUuid, found),

    heldRows: () => decisions.heldRows(db, environment),
    resolveHeld: (ids: readonly number[], answer: 'sent' | 'not sent', decision: decisions.Decision) =>
      decisions.resolveHeld(db, environment, ids, answer, decision),
    retryFailed: (of: { ids: readonly number[] } | { run: string }, decision: decisions.Decision) =>
      decisions.retryFailed(db, environment, of, decision),
    correctFailed: (id: number, correction: Correction, decision: decisions.Decision) =>
      decisions.correctFailed(db, environment, id, correction, decision),

    issuanceStates: (ids: readonly number[]) => decisions.issuanceStates(db, environment, ids),
    approveRun: (runId: string, decision: decisions.Decision) => brake.approveRun(db, environment, runId, decision),
    rejectRun: (runId: string, decision: decisions.Decision) => brake.rejectRun(db, environment, runId, decision),

    explain: (who: { id: number } | { hashes: readonly Buffer[] }) => explain(db, who),

    ...lockVerbs(db, environment),
  }
}

export interface ReportNews {
  claims: report.NewClaim[]
  upgrades: { from: string; to: string }[]
  moves: report.Move[]
  /** Issuances whose item may be in the report although they claim none: their batches have arrived. */
  shown: number[]
  surplus: { issuanceId: number; key: string; fingerprint: string }[]
  /** Course uuid and the report's name for it. */
  certificateNames: [string, string][]
}
