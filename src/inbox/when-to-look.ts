// When an inbox is to be looked at, from the ledger's memory of the last look. Pure.

import type { Schedule } from '#src/time/schedule.ts'

export interface LookMemory {
  /** The last due time that was answered; for a span, the last look. */
  lastDueAt: Date
  /** An earlier look for what was not ready at the last one. */
  againAt: Date | null
}

export interface Due {
  /** What this look answers: the last due time there was. */
  answers: Date
  /** The first of the times of day that nobody looked, and how many there were. Never for a span. */
  missed: { at: Date; count: number } | null
}

/** Later than this, a time of day was missed and not merely waited for. */
const lateMs = 5 * 60_000
/** For so long after it was due, a nightly look waits for files that were being written. Later ones belong to the next night. */
const followMs = 3_600_000
/** Counting them all says no more. */
const mostMissed = 1_000

/** What a look now would answer, or null when none is due. */
export function dueLook(schedule: Schedule, memory: LookMemory, now: Date): Due | null {
  const first = schedule.next(memory.lastDueAt)
  if (first > now) return follows(schedule, memory, now) ? { answers: memory.lastDueAt, missed: null } : null
  if (schedule.everyMs !== null) return { answers: now, missed: null }
  let answers = first
  let count = 1
  for (; count < mostMissed; count++) {
    const next = schedule.next(answers)
    if (next > now) break
    answers = next
  }
  const missed = now.getTime() - first.getTime() > lateMs ? { at: first, count } : null
  // Past the most that are counted, the rest are answered all the same.
  return { answers: count === mostMissed ? now : answers, missed }
}

function follows(schedule: Schedule, { lastDueAt, againAt }: LookMemory, now: Date): boolean {
  if (!againAt || againAt > now) return false
  return schedule.everyMs !== null || now.getTime() - lastDueAt.getTime() <= followMs
}

/** The memory of an inbox that was never looked at: a span is due at once, a time of day from now on. */
export function firstMemory(schedule: Schedule, now: Date): Date {
  return schedule.everyMs === null ? now : new Date(0)
}
