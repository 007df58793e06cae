// Limits how many state-changing calls may be in progress at the same time. Each needs a place. There are as many
// places as it takes to use the full rate limit at the current response times, but only one after a call with an
// unknown outcome.

import type { Clock } from '#src/platform/time/clock.ts'
import { LimitsClosedError } from './limits-closed-error.ts'

/** How long a call took, in milliseconds. */
export interface CallTimes {
  /** The time at the gate, until the limit permitted the call. */
  waitedMs: number
  /** The time from the request to its response. */
  answerMs: number
  /** The time of our own work before and after that. */
  ownMs: number
}

/** The minimum number of places, whatever is known about response times. */
const fewCalls = 4
/**
 * Extra calls, so that one is waiting at the gate whenever a slot is free, although not all calls take equally long.
 */
const spareCalls = 3
/**
 * If our own work takes longer than this, the processor or the database is busy, and more concurrent calls would only
 * wait for it.
 */
const maxOwnMs = 100
/**
 * If more calls than this wait at the gate, other workers also use the limit, and fewer places are enough. A waiting
 * call is already claimed, and its outcome would be unknown if this worker were killed. The waiting time is a weaker
 * sign, because even a single call waits for the round trip to Redis.
 */
const maxWaiting = 4
/** The weight of the latest response in the averages. It is small, so that a single slow response changes little. */
const smoothing = 1 / 8

/** The number of calls in progress that it takes to use the limit fully. Pure. */
export function callsNeeded(perSecond: number, { answerMs, ownMs }: Pick<CallTimes, 'answerMs' | 'ownMs'>): number {
  return Math.max(fewCalls, Math.ceil((perSecond * (answerMs + Math.min(ownMs, maxOwnMs))) / 1_000) + spareCalls)
}

/** The average number of calls in progress that are waiting at the gate. Pure. */
function callsWaiting(running: number, { waitedMs, answerMs, ownMs }: CallTimes): number {
  return (running * waitedMs) / (waitedMs + answerMs + ownMs)
}

function smoothed(before: CallTimes, now: CallTimes): CallTimes {
  const smooth = (name: keyof CallTimes) => before[name] + (now[name] - before[name]) * smoothing
  return { waitedMs: smooth('waitedMs'), answerMs: smooth('answerMs'), ownMs: smooth('ownMs') }
}

export interface Place {
  /** Records that the service has answered the call. */
  noteAnswer(times: CallTimes): void
  /** Records that the outcome of the call is unknown. */
  noteUnknown(): void
}

export interface CallPlaces {
  /** Runs `work` once there is a place for it. Rejects with LimitsClosedError if `stop` is called first. */
  run<Result>(work: (place: Place) => Promise<Result>): Promise<Result>
  /** The number of calls that may be in progress now. */
  count(): number
  /** Prevents further work from starting. Running work continues. */
  stop(): void
}

/**
 * After a call with an unknown outcome, the next one begins only when no other is in progress: a fault of the service
 * or of the network affects all calls, and one call is enough to learn whether the fault is over. Each response to a
 * call that began after that adds a place.
 */
export function openCallPlaces({ perSecond, max }: { perSecond: number; max: number }, clock: Clock): CallPlaces {
  const waiting: { begin(): void; refuse(error: Error): void }[] = []
  let usual: CallTimes | null = null
  let places = Math.min(fewCalls, max)
  let unknownAtMs = Number.NEGATIVE_INFINITY
  let running = 0
  let stopped = false

  function noteAnswer(begunAtMs: number, times: CallTimes): void {
    usual = usual ? smoothed(usual, times) : times
    if (begunAtMs <= unknownAtMs) return
    if (callsWaiting(running, usual) > maxWaiting) places = Math.max(1, places - 1)
    else places = Math.min(places + 1, max, callsNeeded(perSecond, usual))
  }

  function noteUnknown(): void {
    places = 1
    unknownAtMs = clock.monotonicMs()
  }

  function beginWaiting(): void {
    while (running < places && waiting.length > 0) {
      running += 1
      waiting.shift()?.begin()
    }
  }

  return {
    async run(work) {
      if (stopped) throw new LimitsClosedError('calls')
      await new Promise<void>((begin, refuse) => {
        waiting.push({ begin, refuse })
        beginWaiting()
      })
      const begunAtMs = clock.monotonicMs()
      try {
        return await work({ noteAnswer: (times) => noteAnswer(begunAtMs, times), noteUnknown })
      } finally {
        running -= 1
        beginWaiting()
      }
    },
    count: () => places,
    stop() {
      stopped = true
      for (const { refuse } of waiting.splice(0)) refuse(new LimitsClosedError('calls'))
    },
  }
}
