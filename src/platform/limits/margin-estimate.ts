// Estimates the margin that the network path to the service needs, from how unevenly its answers arrive, before it
// refuses anything. Performs no I/O.

import { widening } from './pace.ts'

/**
 * The margin while nothing is known about the path, and the largest that answers alone can lead to. It covers a jitter
 * of 80 ms, and leaves 0.926 of the limit.
 */
export const cautionMs = 80

/** The answers that count: those of the last four seconds at the full rate, and none older than ten minutes. */
const maxAnswers = 256
const maxAgeMs = 600_000
/** Nothing is concluded from fewer answers. At the full rate, this many take half a second. */
const fewAnswers = 30
/** If a larger share of the calls waits for a slot, the limit is fully used. */
const busyShare = 0.6
/** What is known to be harmless is forgotten at this rate, and so is a refusal: 60 ms in an hour. */
const forgottenPerMs = 1 / 60_000

/**
 * Returns by how many milliseconds round trips differ, without the slowest and the quickest hundredth: a single late
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
  /** From its slot to the end of its answer. */
  roundTripMs: number
  /** Whether it waited for its slot, because the limit was fully used. */
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
 * A round trip shows the way there, the service's own work and the way back as one number, and only the first matters.
 * So the whole spread counts at first. With each second in which the limit was fully used and nothing was refused, one
 * millisecond of it proves harmless. After a refusal none of it counts as harmless, and only one more millisecond is
 * tried each minute.
 * @param options `marginMs`: the smallest margin. `cautionMs`: see above; 0 if nothing is to be learned.
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
