// The twin as one of the two sides, and all that it holds in the words of standing-sql.ts.

import { asLedger, type MemoryLedger, openMemoryLedger } from '#test/guarantees/simulation/ledger/memory-ledger.ts'
import type { AttemptRecord, IssuanceRecord, RunRecord } from '#test/guarantees/simulation/ledger/records.ts'
import { noteIds, type SharedClock, type Side, type Standing } from './side.ts'

export function twinSide(hashKey: Buffer, clock: SharedClock): Side {
  const memory = openMemoryLedger({ clock, hashKey })
  const side: Side = {
    ledger: asLedger(memory),
    clock,
    setClock: async () => {},
    runs: [],
    issuances: [],
    attempts: [],
    scans: [],
    braked: [],
    async standing() {
      const standing = standingOf(memory)
      noteIds(side, standing)
      return standing
    },
  }
  return side
}

const ms = (at: number | Date | null) => (at === null || !Number.isFinite(+at) ? null : Math.floor(+at))

function standingOf(memory: MemoryLedger): Standing {
  const { courses, scans, sightings, surplus, poller } = memory.books()
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)
  return {
    issuances: memory.issuances().map(issuanceOf),
    attempts: memory.attempts().map(attemptOf),
    runs: [...memory.runs()].map(runOf),
    courses: [...courses.values()]
      .map((each) => ({
        course: each.uuid,
        name: each.certificateName,
        limit: each.batchLimit,
        paused: ms(each.pausedUntil),
        why: each.pauseReason,
        canary: ms(each.canarySince),
      }))
      .sort((a, b) => (a.course < b.course ? -1 : 1)),
    scans: scans.map(({ id, since, startedAt, endedAt, complete }) => ({
      id,
      since,
      started: ms(startedAt),
      ended: ms(endedAt),
      complete,
    })),
    sightings: [...sightings].map(([key, at]) => ({ key, at: ms(at) })).sort(byKey),
    surplus: [...surplus].map(([key, { id }]) => ({ key, issuance: id })).sort(byKey),
    poller: poller && { due: ms(poller.dueAt), deep: ms(poller.deepDueAt), asked: ms(poller.askedAt) },
  }
}

function issuanceOf(of: Readonly<IssuanceRecord>): Standing['issuances'][number] {
  return {
    id: of.id,
    course: of.course.uuid,
    run: of.run.run.id,
    row: of.row,
    pipeline: of.pipeline,
    state: of.state,
    since: ms(of.stateSince),
    event: of.event,
    evidence: of.evidence as Record<string, unknown> | null,
    attempt: of.attempt?.id ?? null,
    reason: of.reason,
    due: ms(of.dueAt),
    firstSent: ms(of.firstSentAt),
    lastSent: ms(of.lastSentAt),
    resends: of.resends,
    cap: of.batchCap,
    looks: of.looks,
    controlled: of.controlledLooks,
    lastLook: ms(of.lastLookAt),
    decided: ms(of.decidedAt),
    surplus: of.surplusItems,
    shown: of.shown,
    claim: of.claim && { key: of.claim.key, fingerprint: of.claim.fingerprint },
    history: of.history.map((line) => ({ ...line, at: ms(line.at) })),
  }
}

function attemptOf(of: Readonly<AttemptRecord>): Standing['attempts'][number] {
  const { id, pipeline, phase, size, outcome, status, code, words, instance } = of
  return {
    ...{ id, pipeline, phase, size, outcome, status, code, words, instance },
    course: of.course.uuid,
    asked: ms(of.askedAt),
    sending: ms(of.sendingAt),
    deadline: ms(of.deadlineAt),
    ended: ms(of.endedAt),
    sha: of.requestSha256,
    shown: of.shown,
    items: of.items.map(({ issuance, open }) => ({ issuance: issuance.id, open })),
  }
}

function runOf({ run, askedAt, writeBack }: Readonly<RunRecord>): Standing['runs'][number] {
  const { id, state, rows, invalid, skipped, accepted, known, changed, gone, refusal, brake } = run
  return {
    ...{ id, state, rows, invalid, skipped, accepted, known, changed, gone, refusal, brake },
    approved: run.approval,
    course: run.courseUuid,
    path: run.sourcePath,
    read: run.readRows,
    results: run.resultsPath,
    received: ms(run.receivedAt),
    published: ms(run.publishedAt),
    settled: ms(run.settledAt),
    asked: ms(askedAt),
    told: writeBack && { wanted: writeBack.wanted, told: writeBack.told, asked: ms(writeBack.askedAt) },
  }
}
