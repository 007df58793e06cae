// Places for calls that change something: how many may be under way at the same time. There are as many as are needed
// to use the limit with the current answer times, and only one after a call of unknown outcome.

import type { Clock } from '#src/platform/time/clock.ts'
import { LimitsClosedError } from './limits-closed-error.ts'

/** How long a call took, in milliseconds. */
export interface CallTimes {
  /** At the gate, until the limit permitted the call. */
  waitedMs: number
  /** From the request to its answer. */
  answerMs: number
  /** What we did before and after that. */
  ownMs: number
}

/** At least this many calls are worth their places, whatever is known about answer times. */
const fewCalls = 4
/** Extra calls, so that one waits at the gate whenever a slot is free, although not all calls take equally long. */
const spareCalls = 3
/**
 * If our own part takes longer, the processor or the database is busy, and more calls at once would only wait for it.
 */
const maxOwnMs = 100
/**
 * If more calls than this wait at the gate, other workers use the limit too, and fewer places are enough. A call that
 * waits is claimed already, and its outcome would be unknown if this worker were killed. How long a call waits says
 * less: even a call that is alone waits for the round trip to Redis.
 */
const maxWaiting = 4
/** The weight of the last answer in the averages, so a single slow one changes little. */
const smoothing = 1 / 8

/** The number of calls that are under way when the limit is fully used. Pure. */
export function callsNeeded(perSecond: number, { answerMs, ownMs }: Pick<CallTimes, 'answerMs' | 'ownMs'>): number {
  return Math.max(fewCalls, Math.ceil((perSecond * (answerMs + Math.min(ownMs, maxOwnMs))) / 1_000) + spareCalls)
}

/** The number of calls under way that wait at the gate, on average. Pure. */
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
  /** Runs `work` once there is a place for it. Rejects with LimitsClosedError if that is not before `stop`. */
  run<Result>(work: (place: Place) => Promise<Result>): Promise<Result>
  /** The number of calls that may be under way now. */
  count(): number
  /** Lets nothing more begin. Running work continues. */
  stop(): void
}

/**
 * After a call of unknown outcome, the next one begins only when no other is under way: whatever happened to the
 * service or to the network has affected all of them, and one call is enough to learn whether it has ended. Each answer
 * to a call that began since then adds a place.
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
