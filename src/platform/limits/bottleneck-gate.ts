// Implements a gate with a bottleneck limiter, which handles queueing, priority and concurrency, in front of the slots
// that enforce the rate limit.
//
// These features of bottleneck are not used, for measured reasons: `reservoir` allows twice the limit within one
// second; clustering never recovers from an emptied Redis; `expiration` rejects while the work continues, which leads
// to duplicate sends; `highWater` drops work; a number returned from a `failed` handler runs the work again.

import Bottleneck from 'bottleneck'
import type { Clock } from '#src/platform/time/clock.ts'
import type { Gate, GateCounts, Passage } from './gate.ts'
import { GateShutError, LimitsClosedError } from './limits-closed-error.ts'
import type { Slots } from './slots.ts'

const maxSleepMs = 60_000

/**
 * The length of the pause after a refusal without a Retry-After time: the time that this many sends take, but at most a
 * second.
 */
const pausedSends = 6

export interface BottleneckGateOptions {
  name: string
  /** Sends per second. */
  limit: number
  /** The maximum number of tasks running at the same time. */
  maxConcurrent: number
  slots: Slots
  clock: Clock
  /** Called with each task's waiting time in milliseconds as it begins. */
  onBegin?: (waitedMs: number) => void
}

export interface StoppableGate extends Gate {
  counts(): GateCounts
  /** Rejects all waiting work and all later calls with LimitsClosedError. Running work continues. */
  stop(): void
}

export function openBottleneckGate(options: BottleneckGateOptions): StoppableGate {
  const { name, limit, maxConcurrent, slots, clock, onBegin } = options
  const spacingMs = 1_000 / limit
  const newLimiter = () => new Bottleneck({ maxConcurrent, minTime: Math.floor(spacingMs) })
  const wasSetBack = detectSetBack(clock)
  let limiter = newLimiter()
  const closing = new AbortController()
  let pausedSince = Number.NEGATIVE_INFINITY
  let pausedUntil = Number.NEGATIVE_INFINITY
  let inside = 0
  let running = 0
  let sent = 0
  let recent: number[] = []

  const inLastSecond = () => recent.filter((at) => at > clock.monotonicMs() - 1_000)

  /**
   * Returns whether the limit was fully used, so that the slot had to be waited for. If a pause begins in the meantime,
   * that slot is lost: it counts although nothing is sent with it.
   */
  async function waitUntilAllowed(giveUpAt: number): Promise<boolean> {
    for (;;) {
      closing.signal.throwIfAborted()
      const rest = pausedUntil - clock.monotonicMs()
      if (rest > 0 && pausedUntil > giveUpAt) throw new GateShutError(name, rest)
      if (rest > 0) {
        await clock.sleep(Math.min(rest, maxSleepMs), closing.signal)
        continue
      }
      const asked = clock.monotonicMs()
      const shutForMs = await slots.take(closing.signal)
      const now = clock.monotonicMs()
      if (shutForMs > 0) pausedUntil = Math.max(pausedUntil, now + shutForMs)
      else if (pausedUntil <= now && !closing.signal.aborted) return now - asked >= spacingMs
    }
  }

  async function begin<T>(
    work: (passage: Passage) => Promise<T>,
    arrival: { at: number; giveUpAt: number },
  ): Promise<T> {
    const waited = await waitUntilAllowed(arrival.giveUpAt)
    const begun = clock.monotonicMs()
    onBegin?.(begun - arrival.at)
    sent += 1
    running += 1
    recent = [...inLastSecond(), begun]
    try {
      return await work({
        noteAccepted: () => slots.noteAccepted({ roundTripMs: clock.monotonicMs() - begun, waited }),
      })
    } finally {
      running -= 1
    }
  }

  return {
    async pass(work, options) {
      inside += 1
      // Bottleneck uses the wall clock: after it is rolled back by a day, the next task would start a day later. Tasks
      // waiting in the old limiter have their own timers and continue.
      if (wasSetBack()) limiter = newLimiter()
      const at = clock.monotonicMs()
      const arrival = { at, giveUpAt: at + (options?.mayWaitMs ?? Number.POSITIVE_INFINITY) }
      try {
        return await limiter.schedule({ priority: options?.priority ?? 5 }, () => begin(work, arrival))
      } catch (error) {
        if (error instanceof Bottleneck.BottleneckError) throw new LimitsClosedError(name)
        throw error
      } finally {
        inside -= 1
      }
    },
    pause(namedMs, { sentMs } = {}) {
      const now = clock.monotonicMs()
      // Requests that were already in flight when the pause began are refused for the same reason.
      if (namedMs === null && sentMs !== undefined && sentMs <= pausedSince) return
      const ms = namedMs ?? Math.min(1_000, pausedSends * spacingMs)
      if (now >= pausedUntil) pausedSince = now
      pausedUntil = Math.max(pausedUntil, now + ms)
      slots.pause({ ms, namedByService: namedMs !== null, sentAgoMs: now - (sentMs ?? now) })
    },
    counts: () => ({
      waiting: inside - running,
      running,
      sent,
      paused: pausedUntil > clock.monotonicMs(),
      pausedMs: Math.max(0, pausedUntil - clock.monotonicMs()),
      lastSecond: inLastSecond().length,
    }),
    stop() {
      if (closing.signal.aborted) return
      closing.abort(new LimitsClosedError(name))
      // Not awaited, because the promise waits for running work, which ends at the deadlines of the HTTP transport.
      limiter.stop({ dropWaitingJobs: true }).catch(() => {})
    },
  }
}

/** Returns a function that reports whether the wall clock was rolled back since its last call. */
function detectSetBack(clock: Clock): () => boolean {
  const aheadMs = () => clock.now().getTime() - clock.monotonicMs()
  let known = aheadMs()
  return () => {
    const before = known
    known = aheadMs()
    return known < before - 500
  }
}
