// Where slots are asked for: one script, and its answer on this process's own clock.

import type { Clock } from '#src/time/clock.ts'
import type { SlotsOptions } from './local-slots.ts'
import { openRemoteClock } from './remote-clock.ts'
import { nextSlots } from './slot-scripts.ts'
import { openTravelTime } from './travel-time.ts'

/** The small shape of Redis that slots need: runs a script whole, rejects when it was not answered in a second or two, never repeats it. */
export type RunScript = (
  script: { name: string; lua: string },
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>

export interface SlotDeskOptions extends SlotsOptions {
  /** Of the log and of the state beside it. */
  names: readonly [log: string, state: string]
  run: RunScript
  clock: Clock
  /** Told when another process holds this allowance to a lower limit than ours, and when it no longer does. */
  onLimit?: (limit: number) => void
}

export interface Slot {
  /** On this process's monotonic clock. */
  at: number
  /** What the log calls it. */
  member: string
}

/** `shut` is a pause, for so long; `later` says that all of the near future is given away: ask again then. */
export type SlotAnswer = { kind: 'slots'; slots: Slot[] } | { kind: 'shut'; ms: number } | { kind: 'later'; ms: number }

export interface SlotDesk {
  /** Asks for so many slots; may give fewer. Rejects with what `run` does, and with RedisTooFarError. */
  ask(count: number): Promise<SlotAnswer>
  /** The slot was not used. Told with the next question, which costs none of its own. */
  giveBack(slot: Slot): void
  /** Milliseconds by which slots are asked for ahead, as the answer travels. */
  leadMs(): number
}

/** An answer that leaves more doubt than this about Redis's clock says nothing about when to send. */
const mostDoubtMs = 250

export class RedisTooFarError extends Error {
  override readonly name = 'RedisTooFarError'

  constructor() {
    super(
      `Redis answers too slowly to say when a request may be sent: its clock is known to no better than ${mostDoubtMs} ms. Nothing was sent.`,
    )
  }
}

export function openSlotDesk({ limit, marginMs, names, run, clock, onLimit }: SlotDeskOptions): SlotDesk {
  const redisClock = openRemoteClock()
  const travel = openTravelTime()
  const window = Math.round((1_000 + marginMs) * 1_000)
  let unused: string[] = []
  let lowest = limit

  async function ask(count: number): Promise<number[]> {
    const back = unused
    unused = []
    const askedMs = clock.monotonicMs()
    const lead = Math.round(travel.leadMs() * 1_000)
    try {
      const [now = 0, ...answer] = (await run(nextSlots, names, [limit, window, lead, count, ...back])) as number[]
      const answeredMs = clock.monotonicMs()
      redisClock.note(askedMs, now / 1_000, answeredMs)
      travel.note(answeredMs - askedMs)
      return answer
    } catch (error) {
      unused.push(...back)
      throw error
    }
  }

  return {
    async ask(count) {
      const [kind, value = 0, ...members] = await ask(count)
      if (kind !== 0) return { kind: kind === 1 ? 'shut' : 'later', ms: Math.max(1, Math.ceil(value / 1_000)) }
      if (value !== lowest) onLimit?.(value)
      lowest = value
      const slots = members.map((at) => ({ at: redisClock.toLocal(at / 1_000), member: String(at) }))
      if (redisClock.doubtMs(clock.monotonicMs()) <= mostDoubtMs) return { kind: 'slots', slots }
      unused.push(...slots.map(({ member }) => member))
      throw new RedisTooFarError()
    },
    giveBack: ({ member }) => void unused.push(member),
    leadMs: () => travel.leadMs(),
  }
}
