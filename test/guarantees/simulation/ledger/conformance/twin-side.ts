// The twin as one of the two sides, and its full state in the same form as full-state-sql.ts.

import { asLedger, type MemoryLedger, openMemoryLedger } from '#test/guarantees/simulation/ledger/memory-ledger.ts'
import type { AttemptRecord, IssuanceRecord, RunRecord } from '#test/guarantees/simulation/ledger/records.ts'
import { type FullState, noteIds, type SharedClock, type Side } from './side.ts'

export function twinSide(hashKey: Buffer, clock: SharedClock): Side {
  const memory = openMemoryLedger({ clock, hashKey })
  const side: Side = {
    ledger: asLedger(memory),
    clock,
    setClock: async () => {},
    runs: [],
    sendingClaims: new Map(),
    issuances: [],
    attempts: [],
    scans: [],
    braked: [],
    async fullState() {
      const state = fullStateOf(memory)
      noteIds(side, state)
      return state
    },
  }
  return side
}

const ms = (at: number | Date | null) => (at === null || !Number.isFinite(+at) ? null : Math.floor(+at))

function fullStateOf(memory: MemoryLedger): FullState {
  const { courses, scans, sightings, surplus, poller } = memory.records.books()
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)
  return {
    issuances: memory.records.issuances().map(issuanceOf),
    attempts: memory.records.attempts().map(attemptOf),
    runs: [...memory.records.runs()].map(runOf),
    courses: [...courses.values()]
      .map((each) => ({
        course: each.uuid,
        name: each.certificateName,
        limit: each.batchLimit,
        paused: ms(each.pausedUntil),
        why: each.pauseReason,
        canary: ms(each.canarySince),
        since: ms(each.pausedSince),
        trouble: each.pausedAfterTrouble || null,
        level: each.troubleLevel || null,
        first: each.firstList?.state ?? null,
        shows: each.firstList?.shows ?? null,
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

function issuanceOf(record: Readonly<IssuanceRecord>): FullState['issuances'][number] {
  return {
    id: record.id,
    course: record.course.uuid,
    run: record.run.run.id,
    row: record.row,
    pipeline: record.pipeline,
    state: record.state,
    since: ms(record.stateSince),
    event: record.event,
    evidence: record.evidence as Record<string, unknown> | null,
    attempt: record.attempt?.id ?? null,
    reason: record.reason,
    due: ms(record.dueAt),
    firstSent: ms(record.firstSentAt),
    lastSent: ms(record.lastSentAt),
    resends: record.resends,
    cap: record.batchCap,
    looks: record.looks,
    controlled: record.controlledLooks,
    lastLook: ms(record.lastLookAt),
    decided: ms(record.decidedAt),
    surplus: record.surplusItems,
    shown: record.shown,
    claim: record.claim && { key: record.claim.key, fingerprint: record.claim.fingerprint },
    history: record.history.map((line) => ({ ...line, at: ms(line.at) })),
  }
}

function attemptOf(record: Readonly<AttemptRecord>): FullState['attempts'][number] {
  const { id, pipeline, phase, size, outcome, status, code, words, instance } = record
  return {
    ...{ id, pipeline, phase, size, outcome, status, code, words, instance },
    course: record.course.uuid,
    asked: ms(record.askedAt),
    sending: ms(record.sendingAt),
    deadline: ms(record.deadlineAt),
    ended: ms(record.endedAt),
    sha: record.requestSha256,
    shown: record.shown,
    items: record.items.map(({ issuance, open }) => ({ issuance: issuance.id, open })),
  }
}

function runOf({ run, askedAt, writeBack }: Readonly<RunRecord>): FullState['runs'][number] {
  const { id, state, rows, invalid, skipped, accepted, known, changed, refusal, brake } = run
  return {
    ...{ id, state, rows, invalid, skipped, accepted, known, changed, refusal, brake },
    approved: run.approval,
    course: run.courseUuid,
    path: run.sourcePath,
    read: run.readRows,
    results: run.resultsPath,
    received: ms(run.receivedAt),
    published: ms(run.publishedAt),
    settled: ms(run.settledAt),
    asked: ms(askedAt),
    written: writeBack && { wanted: writeBack.wanted, written: writeBack.written, asked: ms(writeBack.askedAt) },
  }
}
