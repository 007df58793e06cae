// Time that passes only when nothing is left to do: the next sleeper is woken, all its work is done, and so on.

import type { Clock } from '#src/platform/time/clock.ts'

interface Sleeper {
  at: number
  order: number
  wake: () => void
  gone: boolean
}

export interface VirtualClock extends Clock {
  /** Wakes sleepers in time order until `over` returns true, no one sleeps, or `untilMs` is reached. */
  run(over: () => boolean, untilMs: number): Promise<void>
  /** Number of sleepers woken so far, which is the cost of a simulation. */
  readonly steps: number
}

export function openVirtualClock(start: Date): VirtualClock {
  let nowMs = 0
  let order = 0
  let steps = 0
  const heap: Sleeper[] = []

  return {
    now: () => new Date(start.getTime() + nowMs),
    monotonicMs: () => nowMs,
    get steps() {
      return steps
    },
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const onAbort = () => {
          sleeper.gone = true
          reject(signal?.reason)
        }
        const wake = () => {
          // A process sleeps thousands of times on one signal, which is searched for each new listener.
          signal?.removeEventListener('abort', onAbort)
          resolve()
        }
        const sleeper: Sleeper = { at: nowMs + Math.max(0, ms), order: order++, wake, gone: false }
        push(heap, sleeper)
        signal?.addEventListener('abort', onAbort, { once: true })
      })
    },
    async run(over, untilMs) {
      await settled()
      while (!over()) {
        const next = pop(heap)
        if (!next) return
        if (next.gone) continue
        if (next.at > untilMs) return push(heap, next)
        nowMs = next.at
        steps++
        next.wake()
        await settled()
      }
    },
  }
}

/** Everything here runs on promises alone, so one cycle of the event loop completes all work of a wake-up. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const before = (a: Sleeper, b: Sleeper) => a.at < b.at || (a.at === b.at && a.order < b.order)

function push(heap: Sleeper[], sleeper: Sleeper): void {
  let at = heap.push(sleeper) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!before(sleeper, heap[parent] as Sleeper)) break
    heap[at] = heap[parent] as Sleeper
    at = parent
  }
  heap[at] = sleeper
}

function pop(heap: Sleeper[]): Sleeper | undefined {
  const first = heap[0]
  const last = heap.pop()
  if (!first || !last || heap.length === 0) return first
  let at = 0
  for (;;) {
    let child = at * 2 + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && before(heap[child + 1] as Sleeper, heap[child] as Sleeper)) child++
    if (!before(heap[child] as Sleeper, last)) break
    heap[at] = heap[child] as Sleeper
    at = child
  }
  heap[at] = last
  return first
}
