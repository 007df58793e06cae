// Finds due work in the twin that has no live job. Requested work gets a timestamp, so that it is not requested again
// immediately.

import { firstDue } from './due-rows.ts'
import type { Tables } from './tables.ts'

/** Returns the work that was not requested recently, and records that it is requested now. */
function take<Asked extends { askedAt: number | null }>(tables: Tables, from: Iterable<Asked>): Asked[] {
  const now = tables.now()
  const taken = [...from].filter(({ askedAt }) => askedAt === null || askedAt < now - tables.lostAfterMs)
  for (const entry of taken) entry.askedAt = now
  return taken
}

export function takeRunsToRead(tables: Tables): string[] {
  const received = [...tables.runs.values()].filter(({ run }) => run.state === 'received')
  return take(tables, received).map(({ run }) => run.id)
}

export function takeAttemptsToSend(tables: Tables): number[] {
  return take(tables, tables.prepared).map((attempt) => attempt.id)
}

export function takePoll(tables: Tables): boolean {
  const { poller, inState } = tables
  const open = inState.unconfirmed.size + inState.requested.size + inState.in_progress.size
  if (!poller || open === 0 || poller.dueAt > tables.now()) return false
  return take(tables, [poller]).length > 0
}

export function takeWriteBacks(tables: Tables): string[] {
  const untold = [...tables.runs.values()].flatMap(({ run, writeBack }) =>
    writeBack && writeBack.written < writeBack.wanted ? { id: run.id, writeBack } : [],
  )
  const taken = new Set(
    take(
      tables,
      untold.map((each) => each.writeBack),
    ),
  )
  return untold.filter((each) => taken.has(each.writeBack)).map((each) => each.id)
}

export function pipelinesWithDueRows(tables: Tables): string[] {
  const now = tables.now()
  const found = new Set<string>()
  for (const lane of tables.lanes.values())
    if (lane.course.pausedUntil <= now && !found.has(lane.pipeline) && firstDue(lane, now, 1).length > 0)
      found.add(lane.pipeline)
  const open = new Map<string, number>()
  for (const { pipeline } of [...tables.prepared, ...tables.sending]) open.set(pipeline, (open.get(pipeline) ?? 0) + 1)
  return [...found].sort((a, b) => (open.get(a) ?? 0) - (open.get(b) ?? 0) || (a < b ? -1 : 1))
}

export function unsentByPipeline(tables: Tables): { pipeline: string; rows: number }[] {
  const counts = new Map<string, number>()
  for (const { pipeline } of tables.inState.pending) counts.set(pipeline, (counts.get(pipeline) ?? 0) + 1)
  return [...counts].map(([pipeline, rows]) => ({ pipeline, rows })).sort((a, b) => (a.pipeline < b.pipeline ? -1 : 1))
}

export function forgetAsked(tables: Tables): void {
  for (const attempt of tables.prepared) attempt.askedAt = null
  if (tables.poller) tables.poller.askedAt = null
  for (const record of tables.runs.values()) {
    record.askedAt = null
    if (record.writeBack && record.writeBack.written < record.writeBack.wanted) record.writeBack.askedAt = null
  }
}
