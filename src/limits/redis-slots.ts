// Slots shared by all processes of one account: the log of sends is kept in Redis, and a short script gives the next one or two.

import { nextDelay } from '#src/retry/backoff.ts'
import { openSlotDesk, type Slot, type SlotDeskOptions } from './slot-desk.ts'
import { notePause } from './slot-scripts.ts'
import type { Slots } from './slots.ts'
import { openTakers } from './takers.ts'

export interface RedisSlotsOptions extends SlotDeskOptions {
  /** Told of the first failure of each outage: its error. */
  onAway?: (error: unknown) => void
}

/** A slot missed by more than this is not used: by then it is somebody else's second. */
const lateMs = 3

/** Slots under way or in hand at most: those of a process that is killed are lost to the others. */
const mostInHand = 6

const away = { baseMs: 50, capMs: 1_000 }

/**
 * Opens slots on Redis's clock. Takers are served in the order in which they came. While Redis is away nobody gets a slot; each taker is
 * told for how long to stay away (50 ms, doubling to a second).
 */
export function openRedisSlots(options: RedisSlotsOptions): Slots {
  const { limit, marginMs, names, run, clock, onAway } = options
  const spacingMs = (1_000 + marginMs) / limit
  const takers = openTakers()
  const desk = openSlotDesk(options)
  let asked = 0
  let inHand = 0
  let failures = 0

  // Two at a time halve the scripts. What is asked for while others are in hand covers the way to Redis and back.
  function wanted(): number {
    const most = Math.min(mostInHand, 2 + Math.ceil((2 * desk.leadMs()) / spacingMs))
    const had = asked + inHand
    const free = Math.min(takers.waiting(), most) - had
    return free >= 2 || (free === 1 && had === 0) ? Math.min(2, free) : 0
  }

  function pump(): void {
    for (let count = wanted(); count > 0; count = wanted()) void fetch(count)
  }

  async function fetch(count: number): Promise<void> {
    asked += count
    const answer = await desk.ask(count).catch(unanswered)
    if (answer.kind === 'later') await clock.sleep(answer.ms, takers.wanted()).catch(() => {})
    else failures = answer.kind === 'away' ? failures + 1 : 0
    asked -= count
    if (answer.kind === 'slots') for (const slot of answer.slots) void use(slot)
    if (answer.kind === 'shut') takers.sendAway(answer.ms)
    if (answer.kind === 'away') takers.sendAway(nextDelay(failures, away))
    pump()
  }

  function unanswered(error: unknown): { kind: 'away' } {
    if (failures === 0) onAway?.(error)
    return { kind: 'away' }
  }

  async function use(slot: Slot): Promise<void> {
    inHand += 1
    if (!(await comesDue(slot.at)) || !takers.serve()) desk.giveBack(slot)
    inHand -= 1
    pump()
  }

  // A timer may fire a little early or late, hence the loop: only the clock read in this tick decides.
  async function comesDue(at: number): Promise<boolean> {
    for (;;) {
      const rest = at - clock.monotonicMs()
      if (rest <= 0) return rest >= -lateMs
      try {
        await clock.sleep(Math.ceil(rest), takers.wanted())
      } catch {
        return false
      }
    }
  }

  return {
    take(signal) {
      const turn = takers.join(signal)
      pump()
      return turn
    },
    pause({ ms, asked }) {
      // This process pauses whether or not the others can be told.
      run(notePause, names, [Math.round(ms), asked ? 1 : 0]).catch((error) => onAway?.(error))
    },
  }
}
