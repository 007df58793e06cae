// Slots shared by all processes of one account, and the queue of callers that wait for them. The log of sends is kept
// in Redis, where a short script assigns the next one or two slots, including slots for callers that are expected to
// arrive during the round trip.

import { nextDelay } from '#src/platform/backoff.ts'
import type { SlotsOptions } from './local-slots.ts'
import { openMarginEstimate } from './margin-estimate.ts'
import { openSlotClient, type Slot, type SlotClientOptions } from './slot-client.ts'
import { notePause } from './slot-scripts.ts'
import type { Slots } from './slots.ts'

export interface RedisSlotsOptions extends Omit<SlotClientOptions, 'marginMs'>, SlotsOptions {
  /** Called with the error of the first failure of each outage. */
  onUnavailable?: (error: unknown) => void
}

/**
 * In milliseconds. A slot missed by more than this is not used, because its time may already belong to another process.
 */
const lateMs = 3

/** The maximum number of slots requested or held: slots held by a killed process are lost to the other processes. */
const maxHeld = 6

const whileUnavailable = { baseMs: 50, capMs: 1_000 }

/**
 * Opens slots on Redis's clock. Callers are served in order of arrival. While Redis is unavailable, no slots are given:
 * `take` returns how long to wait before trying again (50 ms, doubling up to a second).
 */
export function openRedisSlots(options: RedisSlotsOptions): Slots {
  const { limit, marginMs, cautionMs = 0, names, run, clock, onUnavailable } = options
  const spacingMs = (1_000 + marginMs) / limit
  const waiters = openWaiters()
  const estimate = openMarginEstimate({ limit, marginMs, cautionMs })
  const client = openSlotClient({ ...options, marginMs: () => estimate.marginMs(clock.monotonicMs()) })
  let requestedSlots = 0
  let heldSlots = 0
  let failures = 0
  let joined = 0
  // The number of callers that arrived during the last round trip. Slots are requested for as many again, so that the
  // next callers need not wait.
  let expected = 0

  // Requesting two at a time halves the number of scripts. Requesting more while some are still held hides the round
  // trip to Redis.
  function countToRequest(): number {
    const max = Math.min(maxHeld, 2 + Math.ceil((2 * client.leadMs()) / spacingMs))
    const current = requestedSlots + heldSlots
    const wantedSlots = waiters.waiting() > 0 ? waiters.waiting() + expected : 0
    const missingSlots = Math.min(wantedSlots, max) - current
    return missingSlots >= 2 || (missingSlots === 1 && current === 0) ? Math.min(2, missingSlots) : 0
  }

  function requestMore(): void {
    for (let count = countToRequest(); count > 0; count = countToRequest()) void requestSlots(count)
  }

  async function requestSlots(count: number): Promise<void> {
    requestedSlots += count
    const joinedBefore = joined
    const answer = await client.request(count).catch(reportOutage)
    expected = joined - joinedBefore
    if (answer.kind === 'later') await clock.sleep(answer.ms, waiters.noneWaitingSignal()).catch(() => {})
    else failures = answer.kind === 'unavailable' ? failures + 1 : 0
    requestedSlots -= count
    if (answer.kind === 'slots') for (const slot of answer.slots) void useSlot(slot)
    if (answer.kind === 'shut') waiters.sendAway(answer.ms)
    if (answer.kind === 'unavailable') waiters.sendAway(nextDelay(failures, whileUnavailable))
    requestMore()
  }

  function reportOutage(error: unknown): { kind: 'unavailable' } {
    if (failures === 0) onUnavailable?.(error)
    return { kind: 'unavailable' }
  }

  async function useSlot(slot: Slot): Promise<void> {
    heldSlots += 1
    if (!(await waitUntil(slot.at)) || !waiters.serve()) client.giveBack(slot)
    heldSlots -= 1
    requestMore()
  }

  // Returns whether the slot can be used. Loops because a timer may fire a little early or late. Only the clock read in
  // this tick decides.
  async function waitUntil(at: number): Promise<boolean> {
    for (;;) {
      const rest = at - clock.monotonicMs()
      if (rest <= 0) return rest >= -lateMs
      try {
        await clock.sleep(Math.ceil(rest), waiters.noneWaitingSignal())
      } catch {
        if (expected === 0) return false
      }
    }
  }

  return {
    take(signal) {
      joined += 1
      const turn = waiters.join(signal)
      requestMore()
      return turn
    },
    noteAccepted: (send) => estimate.noteAccepted(send, clock.monotonicMs()),
    pause({ ms, namedByService, sentAgoMs }) {
      const stepMs = estimate.noteRefused(clock.monotonicMs())
      const args = [ms, namedByService ? 1 : 0, sentAgoMs, stepMs].map(Math.round)
      // This process pauses even if the others cannot be notified.
      run(notePause, names, args).catch((error) => onUnavailable?.(error))
    },
  }
}

/** A first-in, first-out queue of callers that wait for a slot. */
interface Waiters {
  /** See Slots.take. */
  join(signal?: AbortSignal): Promise<number>
  /** Lets the first caller send in this tick. Returns false if no caller is waiting. */
  serve(): boolean
  /** Resolves all waiting calls with `ms`, the milliseconds until they may try again. */
  sendAway(ms: number): void
  waiting(): number
  /** Returns a signal that is aborted once no caller is waiting, so that work on behalf of callers can stop. */
  noneWaitingSignal(): AbortSignal
}

interface Waiter {
  leave(outcome: () => void): void
  resolve(ms: number): void
}

export function openWaiters(): Waiters {
  let queue: Waiter[] = []
  let noneWaiting = new AbortController()

  function remove(waiter: Waiter): void {
    queue = queue.filter((each) => each !== waiter)
    if (queue.length > 0) return
    noneWaiting.abort()
    noneWaiting = new AbortController()
  }

  function join(signal?: AbortSignal): Promise<number> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const waiter: Waiter = {
        resolve,
        leave(outcome) {
          signal?.removeEventListener('abort', onAbort)
          remove(waiter)
          outcome()
        },
      }
      const onAbort = () => waiter.leave(() => reject(signal?.reason))
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.push(waiter)
    })
  }

  const release = (waiter: Waiter, ms: number) => waiter.leave(() => waiter.resolve(ms))
  return {
    join,
    serve() {
      const first = queue[0]
      if (first) release(first, 0)
      return first !== undefined
    },
    sendAway(ms) {
      for (const waiter of queue) release(waiter, ms)
    },
    waiting: () => queue.length,
    noneWaitingSignal: () => noneWaiting.signal,
  }
}
