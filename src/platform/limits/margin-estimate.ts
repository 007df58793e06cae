// Estimates the safety margin that the network path to the service needs. The estimate is based on how unevenly
// responses arrive, so it is available before the service refuses anything. Performs no I/O.

import { widening } from './pace.ts'

/**
 * The margin while nothing is known about the path, and the largest margin that responses alone can lead to. It covers
 * 80 ms of jitter and allows 92.6 % of the limit to be used.
 */
export const cautionMs = 80

/**
 * The number of responses to consider, which is about four seconds' worth at the full rate. Responses older than ten
 * minutes are ignored.
 */
const maxAnswers = 256
const maxAgeMs = 600_000
/** The minimum number of responses for an estimate. At the full rate, they take half a second. */
const fewAnswers = 30
/** If a larger share of the calls has to wait for a slot, the limit counts as fully used. */
const busyShare = 0.6
/** The rate at which both the spread known to be harmless and the effect of a refusal are forgotten: 60 ms per hour. */
const forgottenPerMs = 1 / 60_000

/**
 * Returns the range of the round-trip times in milliseconds, without the slowest and the fastest percent: a single late
 * request adds one call to a second, and any margin has room for that. Returns null if there are too few. Pure.
 */
export function spreadOf(roundTripsMs: readonly number[]): number | null {
  if (roundTripsMs.length < fewAnswers) return null
  const sorted = roundTripsMs.toSorted((a, b) => a - b)
  const outliers = Math.ceil(sorted.length / 100)
  return (sorted.at(-1 - outliers) ?? 0) - (sorted[outliers] ?? 0)
}

/** A request that the service accepted. */
export interface AcceptedSend {
  /** The time from its slot to the end of its response. */
  roundTripMs: number
  /** Whether it had to wait for its slot because the limit was fully used. */
  waited: boolean
}

export interface MarginEstimate {
  /** Times on one monotonic clock, here and below. */
  noteAccepted(send: AcceptedSend, now: number): void
  /** Records a refusal. Returns by how many milliseconds the margin has to be widened beyond this estimate. */
  noteRefused(now: number): number
  marginMs(now: number): number
}

/**
 * Opens an estimate. A round-trip time combines the way to the service, its processing and the way back, and only the
 * first matters. So the whole spread counts at first. Each second in which the limit was fully used and nothing was
 * refused proves one millisecond of the spread harmless. After a refusal, none of it counts as harmless, and only one
 * more millisecond is tried each minute.
 * @param options `marginMs` is the smallest margin. `cautionMs` is described above; with 0, nothing is learned.
 */
export function openMarginEstimate(options: { limit: number; marginMs: number; cautionMs: number }): MarginEstimate {
  const { limit, marginMs, cautionMs: maxMs } = options
  let answers: { at: number; ms: number }[] = []
  let spread: number | null = null
  let busy = 0
  let harmlessMs = 0
  let mostHarmlessMs = maxMs
  let knownAt = 0

  const estimate = (now: number) => {
    const isKnown = spread !== null && now - knownAt <= maxAgeMs
    return Math.max(marginMs, isKnown ? Math.min(maxMs, spread ?? maxMs) - harmlessMs : maxMs)
  }

  function forget(now: number): void {
    const forgottenMs = (now - knownAt) * forgottenPerMs
    harmlessMs = Math.max(0, harmlessMs - forgottenMs)
    mostHarmlessMs = Math.min(maxMs, mostHarmlessMs + forgottenMs)
    knownAt = now
    answers = answers.slice(1 - maxAnswers).filter(({ at }) => now - at <= maxAgeMs)
  }

  return {
    noteAccepted({ roundTripMs, waited }, now) {
      forget(now)
      answers.push({ at: now, ms: roundTripMs })
      spread = spreadOf(answers.map(({ ms }) => ms))
      busy += (Number(waited) - busy) / limit
      const tested = busy > busyShare ? 1 / limit : 0
      const inDoubtMs = Math.max(0, Math.min(maxMs, spread ?? 0) - marginMs)
      harmlessMs = Math.min(harmlessMs + tested, inDoubtMs, mostHarmlessMs)
    },
    noteRefused(now) {
      const before = estimate(now)
      harmlessMs = 0
      mostHarmlessMs = 0
      return Math.max(0, before + widening.stepMs - estimate(now))
    },
    marginMs: estimate,
  }
}
