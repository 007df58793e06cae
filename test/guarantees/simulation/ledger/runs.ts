// Runs of the twin, one for each source file.

import { countIn, noStates, type StateCounts } from '#src/domain/credential/state.ts'
import type { OperatorDecision } from '#src/ledger/operator-decision.ts'
import { rejection } from '#src/ledger/runs/brake.ts'
import type { NewRun, Run } from '#src/ledger/runs/runs.ts'
import { forgetFirstList, settleFirstList } from './first-list.ts'
import type { RunRecord } from './records.ts'
import { courseOf, type Tables } from './tables.ts'

export function receiveRun(tables: Tables, source: NewRun): { run: Run; resumed: boolean } {
  const unfinished = [...tables.runs.values()].findLast(
    ({ run }) =>
      run.pipeline === source.pipeline &&
      run.sourceSha256 === source.sourceSha256 &&
      run.state !== 'refused' &&
      run.settledAt === null,
  )
  if (unfinished) {
    const asItWas = { ...unfinished.run }
    const { sourcePath, sourceName } = source
    if (unfinished.run.state === 'received' || unfinished.run.state === 'braked') {
      Object.assign(unfinished.run, { sourcePath, sourceName })
      unfinished.missedAt = null
    }
    return { run: asItWas, resumed: true }
  }
  const record: RunRecord = {
    run: newRun(tables, source),
    askedAt: null,
    missedAt: null,
    staged: new Map(),
    rows: [],
    states: noStates(),
    surplus: 0,
    writeBack: null,
  }
  tables.runs.set(record.run.id, record)
  return { run: { ...record.run }, resumed: false }
}

function newRun(tables: Tables, source: NewRun): Run {
  return {
    // A job's payload needs a uuid; it is derived from a counter, so that a simulation can be repeated.
    id: `00000000-0000-4000-8000-${String(tables.runs.size + 1).padStart(12, '0')}`,
    ...source,
    environment: tables.environment,
    courseUuid: null,
    format: null,
    separator: null,
    header: null,
    state: 'received',
    rows: 0,
    invalid: 0,
    skipped: 0,
    accepted: 0,
    known: 0,
    changed: 0,
    notMeant: 0,
    forgotten: 0,
    readRows: 0,
    notices: [],
    refusal: null,
    resultsPath: null,
    invalidPath: null,
    receivedAt: new Date(tables.now()),
    publishedAt: null,
    settledAt: null,
    brake: null,
    approval: null,
    waits: null,
  }
}

export function findRun(tables: Tables, id: string): Run | null {
  const record = tables.runs.get(id)
  return record ? { ...record.run } : null
}

export function runWithStates(tables: Tables, id: string): { run: Run; states: StateCounts; surplus: number } | null {
  const record = tables.runs.get(id)
  return record ? { run: { ...record.run }, states: { ...record.states }, surplus: record.surplus } : null
}

export function missRun(tables: Tables, id: string): number {
  const record = tables.runs.get(id)
  if (!record) return 0
  record.missedAt ??= tables.now()
  return tables.now() - record.missedAt
}

export function foundRun(tables: Tables, id: string): void {
  const record = tables.runs.get(id)
  if (record) record.missedAt = null
}

export function refuseRun(tables: Tables, id: string, refusal: string): void {
  const record = tables.runs.get(id)
  if (!record) return
  record.staged.clear()
  if (record.run.state !== 'received') return
  Object.assign(record.run, { state: 'refused', refusal, settledAt: new Date(tables.now()) })
}

export function approveRun(tables: Tables, id: string, { by, why }: OperatorDecision): boolean {
  const record = tables.runs.get(id)
  if (record?.run.state !== 'braked') return false
  record.askedAt = null
  record.missedAt = null
  const { courseUuid, brake } = record.run
  Object.assign(record.run, { state: 'received', approval: { by, why } })
  if (brake?.shown && courseUuid !== null) settleFirstList(courseOf(tables, courseUuid))
  return true
}

export function rejectRun(tables: Tables, id: string, decision: OperatorDecision): boolean {
  const run = tables.runs.get(id)?.run
  if (run?.state !== 'braked') return false
  Object.assign(run, { state: 'refused', refusal: rejection(decision), settledAt: new Date(tables.now()) })
  if (run.brake?.shown && run.courseUuid !== null) forgetFirstList(courseOf(tables, run.courseUuid))
  return true
}

export function noteRunPaths(tables: Tables, id: string, paths: { results?: string; invalid?: string }): void {
  const run = tables.runs.get(id)?.run
  if (!run) return
  run.resultsPath = paths.results ?? run.resultsPath
  run.invalidPath = paths.invalid ?? run.invalidPath
}

export function settleRuns(tables: Tables): string[] {
  const at = new Date(tables.now())
  const settled: string[] = []
  for (const record of tables.runs.values()) {
    const { run, states } = record
    if (run.state !== 'published' || run.settledAt !== null) continue
    if (countIn(states, ['pending', 'sending', 'unconfirmed', 'requested', 'in_progress']) > 0) continue
    run.settledAt = at
    // Unlike other news, this does not replace a job that is already requested.
    if (record.writeBack) record.writeBack.wanted++
    else record.writeBack = { wanted: 1, written: 0, askedAt: null }
    settled.push(run.id)
  }
  return settled
}
