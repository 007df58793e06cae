// Requests slots from Redis with one script, early enough for the answer to arrive in time, and converts the answer to
// this process's own clock.

import type { RunScript } from '#src/platform/redis/open-redis.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { nextSlots } from './slot-scripts.ts'

export interface SlotClientOptions {
  /** Sends allowed in any 1000 ms. */
  limit: number
  /** Returns the margin that this process needs now; the widest of all processes applies. */
  marginMs: () => number
  /** The names of the log and its accompanying state. */
  names: readonly [log: string, state: string]
  run: RunScript
  clock: Clock
  /** Called when another process makes this gate use a lower limit than ours, and again when it no longer does. */
  onLimit?: (limit: number) => void
}

export interface Slot {
  /** On this process's monotonic clock. */
  at: number
  /** Its name in the log. */
  member: string
}

/** `shut`: the gate is paused for `ms`. `later`: all slots of the near future are taken; try again after `ms`. */
export type SlotAnswer = { kind: 'slots'; slots: Slot[] } | { kind: 'shut'; ms: number } | { kind: 'later'; ms: number }

export interface SlotClient {
  /** Requests `count` slots; may return fewer. Rejects with what `run` throws, and with RedisTooFarError. */
  request(count: number): Promise<SlotAnswer>
  /** Returns an unused slot. It is sent with the next request, so no extra request is needed. */
  giveBack(slot: Slot): void
  /** Returns how many milliseconds in advance slots are requested, to allow for the time until the response arrives. */
  leadMs(): number
}

/** If Redis's clock is known less precisely than this, an answer cannot be used to time a send. */
const maxDoubtMs = 250

export class RedisTooFarError extends Error {
  override readonly name = 'RedisTooFarError'

  constructor() {
    super(
      `Redis answers too slowly to say when a request may be sent: its clock is known to no better than ${maxDoubtMs} ms. Nothing was sent.`,
    )
  }
}

export function openSlotClient({ limit, marginMs, names, run, clock, onLimit }: SlotClientOptions): SlotClient {
  const redisClock = openRemoteClock()
  const latency = openLatencyEstimate()
  let unused: string[] = []
  let lowestLimit = limit

  async function runNextSlots(count: number): Promise<number[]> {
    const returnedSlots = unused
    unused = []
    const askedMs = clock.monotonicMs()
    const lead = Math.round(latency.leadMs() * 1_000)
    try {
      const [now = 0, ...answer] = (await run(nextSlots, names, [
        limit,
        Math.round((1_000 + marginMs()) * 1_000),
        lead,
        count,
        ...returnedSlots,
      ])) as number[]
      const answeredMs = clock.monotonicMs()
      redisClock.note(askedMs, now / 1_000, answeredMs)
      latency.note(answeredMs - askedMs)
      return answer
    } catch (error) {
      unused.push(...returnedSlots)
      throw error
    }
  }

  return {
    async request(count) {
      const [kind, value = 0, ...members] = await runNextSlots(count)
      if (kind !== 0) return { kind: kind === 1 ? 'shut' : 'later', ms: Math.max(1, Math.ceil(value / 1_000)) }
      if (value !== lowestLimit) onLimit?.(value)
      lowestLimit = value
      const slots = members.map((at) => ({ at: redisClock.toLocal(at / 1_000), member: String(at) }))
      if (redisClock.doubtMs(clock.monotonicMs()) <= maxDoubtMs) return { kind: 'slots', slots }
      unused.push(...slots.map(({ member }) => member))
      throw new RedisTooFarError()
    },
    giveBack: ({ member }) => void unused.push(member),
    leadMs: () => latency.leadMs(),
  }
}

/** The longest lead that is requested. */
const maxLeadMs = 500

/**
 * Estimates how long Redis's next answer will take to arrive, because a slot must not be past when its answer arrives.
 */
interface LatencyEstimate {
  /** Records that one request was answered after `ms` milliseconds. */
  note(ms: number): void
  /** Milliseconds from Redis's decision to the arrival of its answer, estimated conservatively. */
  leadMs(): number
}

/** Smoothed mean and deviation, weighted as in TCP (RFC 6298, 2.3). */
export function openLatencyEstimate(): LatencyEstimate {
  let mean = 0
  let deviation = 0
  let known = false
  return {
    note(measuredMs) {
      // A single answer that a stalled process read late is no guide to the next one. In a test, a lead that covers
      // stalls of 60 ms reduced the throughput by a fifth. The estimate adapts to a permanently slower connection
      // within a few answers.
      const ms = known ? Math.min(measuredMs, 3 * mean + 2) : measuredMs
      deviation = known ? deviation * 0.75 + Math.abs(mean - ms) * 0.25 : ms / 2
      mean = known ? mean * 0.875 + ms * 0.125 : ms
      known = true
    },
    leadMs: () => Math.min(maxLeadMs, mean / 2 + 2 * deviation),
  }
}

/** The maximum drift between two clocks while one of them is being corrected (NTP slews by 500 ppm). */
const driftPerMs = 0.0005

/** The tolerance for the rounding of both clocks when two measurements are compared. */
const roundingMs = 1

/** Converts times on Redis's clock to this process's own clock, from the times of requests and answers. */
interface RemoteClock {
  /**
   * Records that the remote clock showed `remoteMs` at some time between `askedMs` and `answeredMs` on our own clock.
   * The most precise measurement is kept, because one from a late answer is imprecise. A measurement that contradicts
   * the kept one shows that a clock was set, and replaces it.
   */
  note(askedMs: number, remoteMs: number, answeredMs: number): void
  /** Returns the time on our own clock. Call this after `note`. */
  toLocal(remoteMs: number): number
  /**
   * Returns by how many milliseconds toLocal may be wrong in either direction, at `nowMs` on our own clock; Infinity
   * before the first `note`.
   */
  doubtMs(nowMs: number): number
}

export function openRemoteClock(): RemoteClock {
  let known = { offset: 0, doubt: Number.POSITIVE_INFINITY, at: 0 }
  const doubtMs = (nowMs: number) => known.doubt + Math.max(0, nowMs - known.at) * driftPerMs
  return {
    note(askedMs, remoteMs, answeredMs) {
      const doubt = (answeredMs - askedMs) / 2
      const offset = remoteMs - askedMs - doubt
      const agrees = Math.abs(offset - known.offset) <= doubt + doubtMs(answeredMs) + roundingMs
      if (!agrees || doubt <= doubtMs(answeredMs)) known = { offset, doubt, at: answeredMs }
    },
    toLocal: (remoteMs) => remoteMs - known.offset,
    doubtMs,
  }
}
