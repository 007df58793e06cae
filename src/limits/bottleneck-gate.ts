// One gate: a bottleneck limiter for queue, priority and concurrency, in front of the slots that hold the limit.

import Bottleneck from 'bottleneck'
import type { Clock } from '#src/time/clock.ts'
import type { Gate } from './gate.ts'
import { GateShutError } from './gate-shut-error.ts'
import { LimitsClosedError } from './limits-closed-error.ts'
import type { Slots } from './slots.ts'

// Left alone on purpose, each of them measured: `reservoir` lets twice the limit into one second; clustering never
// recovers from an emptied Redis; `expiration` rejects while the work goes on, which makes double sends; `highWater`
// drops work; a number returned from a `failed` handler runs the work again.

const longestSleepMs = 60_000

export interface BottleneckGateOptions {
  name: string
  /** Sends a second. */
  limit: number
  /** Works that may be under way at the same time. */
  maxConcurrent: number
  slots: Slots
  clock: Clock
  /** Told how long each work waited, in milliseconds, as it begins. */
  onBegin?: (waitedMs: number) => void
}

export interface StoppableGate extends Gate {
  /** Rejects all that waits, and all that comes, with LimitsClosedError. Work already begun goes on. */
  stop(): void
}

export function openBottleneckGate(options: BottleneckGateOptions): StoppableGate {
  const { name, limit, maxConcurrent, slots, clock, onBegin } = options
  const newLimiter = () => new Bottleneck({ maxConcurrent, minTime: Math.floor(1_000 / limit) })
  const setBack = noticesSetBack(clock)
  let limiter = newLimiter()
  const closing = new AbortController()
  let pausedUntil = Number.NEGATIVE_INFINITY
  let inside = 0
  let running = 0
  let sent = 0
  let recent: number[] = []

  const sinceASecond = () => recent.filter((at) => at > clock.monotonicMs() - 1_000)

  // A pause that begins while we wait for a slot costs that slot: it stays counted though nothing is sent with it.
  async function untilAllowed(leaveAt: number): Promise<void> {
    for (;;) {
      closing.signal.throwIfAborted()
      const rest = pausedUntil - clock.monotonicMs()
      if (rest > 0 && pausedUntil > leaveAt) throw new GateShutError(name, rest)
      if (rest > 0) {
        await clock.sleep(Math.min(rest, longestSleepMs), closing.signal)
        continue
      }
      const shutForMs = await slots.take(closing.signal)
      const now = clock.monotonicMs()
      if (shutForMs > 0) pausedUntil = Math.max(pausedUntil, now + shutForMs)
      else if (pausedUntil <= now && !closing.signal.aborted) return
    }
  }

  async function begin<T>(work: () => Promise<T>, came: { at: number; leaveAt: number }): Promise<T> {
    await untilAllowed(came.leaveAt)
    onBegin?.(clock.monotonicMs() - came.at)
    sent += 1
    running += 1
    recent = [...sinceASecond(), clock.monotonicMs()]
    try {
      return await work()
    } finally {
      running -= 1
    }
  }

  return {
    async pass(work, options) {
      inside += 1
      // Bottleneck reckons with the wall clock: set back by a day, its next turn would come a day later. What waits in the old one has
      // timers of its own and goes on.
      if (setBack()) limiter = newLimiter()
      const at = clock.monotonicMs()
      const came = { at, leaveAt: at + (options?.mayWaitMs ?? Number.POSITIVE_INFINITY) }
      try {
        return await limiter.schedule({ priority: options?.priority ?? 5 }, () => begin(work, came))
      } catch (error) {
        if (error instanceof Bottleneck.BottleneckError) throw new LimitsClosedError(name)
        throw error
      } finally {
        inside -= 1
      }
    },
    pause(ms, { asked = true } = {}) {
      if (ms <= 0) return
      pausedUntil = Math.max(pausedUntil, clock.monotonicMs() + ms)
      slots.pause({ ms, asked })
    },
    counts: () => ({
      waiting: inside - running,
      running,
      sent,
      paused: pausedUntil > clock.monotonicMs(),
      lastSecond: sinceASecond().length,
    }),
    stop() {
      if (closing.signal.aborted) return
      closing.abort(new LimitsClosedError(name))
      // Its promise waits for work under way, which the transport's own deadlines end; nobody needs to wait for it here.
      limiter.stop({ dropWaitingJobs: true }).catch(() => {})
    },
  }
}

/** Tells, when asked, whether the wall clock was set back since it was last asked. */
function noticesSetBack(clock: Clock): () => boolean {
  const aheadMs = () => clock.now().getTime() - clock.monotonicMs()
  let known = aheadMs()
  return () => {
    const before = known
    known = aheadMs()
    return known < before - 500
  }
}
